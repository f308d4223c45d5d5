"""Places in pods whose kind has no pod template: fields of the object stand for fields of a pod."""

from collections.abc import Sequence
from typing import NamedTuple

from gitgpu.diagnostic import Places
from gitgpu.objects.objects import Item
from gitgpu.objects.workload.shape import Moves
from gitgpu.source import Pointer, Span


class MovedPlaces(NamedTuple):
    """The places of an object, found by places in its pods. The first move that fits counts."""

    places: Places
    moves: Moves

    def span(self, pointer: Sequence[str | int] = (), *, key: bool = False) -> Span:
        """The place of a value in the file."""
        return self.places.span(place_in_object(self, tuple(pointer)), key=key)


def move(pointer: Pointer, moves: Moves) -> Pointer:
    """Where a value of the pods is written."""
    for part, to in moves:
        if pointer[: len(part)] == part:
            return (*to, *pointer[len(part) :])
    return pointer


def with_moves(item: Item, moves: Moves) -> Item:
    """The object for findings about places in its pods."""
    return item._replace(given=item.given._replace(places=MovedPlaces(item.given.places, moves))) if moves else item


def place_in_object(places: Places, pointer: Pointer) -> Pointer:
    """Where a value is written in the object with these places."""
    return move(pointer, places.moves) if isinstance(places, MovedPlaces) else pointer

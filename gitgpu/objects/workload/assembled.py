"""Pods that a controller assembles from several places of an object: their spec, and where each part is written."""

import re
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, TypeAlias

from gitgpu.access import MAPPING
from gitgpu.objects.workload.shape import Moves
from gitgpu.source import Pointer

Part: TypeAlias = tuple[Pointer, Any]  # a value and its place in the object

_EXPRESSION = re.compile(r"\{\{|\$\(")  # the controllers replace it when they create the pod


class Assembled(NamedTuple):
    """A pod spec and its moves; `partial` if a field has an expression that the controller replaces."""

    spec: dict[str, Any]
    moves: Moves
    partial: bool


def assemble(at: Pointer, fields: Iterable[tuple[str, Part]], lists: Iterable[tuple[str, Sequence[Part]]]) -> Assembled:
    """The spec at a place: fields from other places, and lists whose elements are from other places."""
    spec: dict[str, Any] = {}
    moves: list[tuple[Pointer, Pointer]] = []
    partial = False
    for key, parts in lists:
        spec |= {key: [value for _, value in parts]} if parts else {}
        moves += (((*at, key, index), place) for index, (place, _) in enumerate(parts))
    for key, (place, value) in fields:
        if _EXPRESSION.search(str(value)):
            partial = True
        else:
            spec[key] = value
            moves.append(((*at, key), place))
    return Assembled(spec, tuple(moves), partial)


def first_of(key: str, places: Iterable[Part]) -> Iterable[tuple[str, Part]]:
    """The key with its value in the first of these mappings that has one that is not empty."""
    for place, value in places:
        if isinstance(value, MAPPING) and value.get(key):
            return [(key, ((*place, key), value[key]))]
    return []


def elements(place: Pointer, written: Any) -> list[Part]:
    """The mappings of a list with their places; [] if it is not a list."""
    if not isinstance(written, list):
        return []
    return [((*place, index), value) for index, value in enumerate(written) if isinstance(value, MAPPING)]

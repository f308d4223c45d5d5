"""Equal groups are checked once: if one has no findings, its copies have none either.

Copies are common in repositories: a directory for each environment, examples for each version. Groups are equal if they
differ only in the places of their objects. So this is valid only if no rule has read a place.
"""

import marshal
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any, NamedTuple

from gitgpu.conform.grouped import grouped
from gitgpu.conform.objects import Item
from gitgpu.diagnostic import Diagnostic, Places
from gitgpu.source import Pointer, Span

_FORMAT = 2  # of marshal: later ones write equal values in different ways


class Prepared(NamedTuple):
    """The objects of a group, and what else its findings depend on. `minor` is the Kubernetes version ("1.34")."""

    items: Sequence[Item]
    minor: str
    closed: bool
    beyond: frozenset[tuple[str, str]]


class GroupResult(NamedTuple):
    """The findings of a group, and whether a rule has read the place of an object."""

    found: list[Diagnostic]
    read_places: bool = False


Spread = Callable[[Sequence[Prepared]], Sequence[GroupResult]]


def check_once(groups: Sequence[Prepared], check: Spread) -> Iterator[Diagnostic]:
    """The findings of all groups, in order. `check` is called for the first of equal groups, then for other copies."""
    if len(groups) == 1:  # it has no copies, and may be very large
        yield from check(groups)[0].found
        return
    same = grouped(range(len(groups)), lambda at: _digest(groups[at], at))
    firsts = [members[0] for members in same.values()]
    found = dict(zip(firsts, check([groups[at] for at in firsts]), strict=True))
    others: list[int] = []
    for first, *copies in same.values():
        if found[first].found or found[first].read_places:  # a finding names its files, so each copy needs its own
            others += copies
    found.update(zip(others, check([groups[at] for at in others]), strict=True))
    for at in sorted(found):
        yield from found[at].found


def recording_places(group: Prepared, check: Callable[[Prepared], list[Diagnostic]]) -> GroupResult:
    """The findings of a group, and whether `check` has read a place."""
    read: list[Pointer] = []
    made: dict[int, Places] = {}  # items that share their places still share them afterwards
    for item in group.items:
        made.setdefault(id(item.given.places), _RecordingPlaces(item.given.places, read))
    items = [item._replace(given=item.given._replace(places=made[id(item.given.places)])) for item in group.items]
    return GroupResult(check(group._replace(items=items)), bool(read))


class _RecordingPlaces:
    """Places that record which pointers are read."""

    def __init__(self, places: Places, read: list[Pointer]) -> None:
        self._places, self._read = places, read

    def span(self, pointer: Sequence[str | int] = (), *, key: bool = False) -> Span:
        """The place of a value."""
        self._read.append(tuple(pointer))
        return self._places.span(pointer, key=key)


def _digest(group: Prepared, at: int) -> Hashable:
    """A value that is equal for equal groups; the index if a group contains values that marshal cannot write."""
    from hashlib import blake2b  # noqa: PLC0415  brings in OpenSSL; many runs have one group

    numbers: dict[int, int] = {}  # which items share their places
    for item in group.items:
        numbers.setdefault(id(item.given.places), len(numbers))
    try:
        words = marshal.dumps([(numbers[id(item.given.places)], *_content(item)) for item in group.items], _FORMAT)
    except ValueError:
        return at
    return *group[1:], blake2b(words, digest_size=16).digest()


def _content(item: Item) -> tuple[Any, ...]:
    """Everything that rules can read in an item, except its places."""
    by = item.delivered
    return (
        *(item.given.body, item.given.patch, tuple(item.identity), item.scope.value, item.sound),
        *(sorted(map(repr, item.holes)), item.bare, by and (by.by, by.written), item.renamed, item.written),
    )

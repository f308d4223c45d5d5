"""Equal groups are checked once: if one has no findings, its copies have none either.

Copies are common in repositories: a directory for each environment, examples for each version. Groups are equal if they
differ only in the places of their objects. So this is valid only if no rule has read a place.
"""

import marshal
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias

from gitgpu.diagnostic import Diagnostic, Places
from gitgpu.model.software.cluster_releases import Versions
from gitgpu.objects.indexes import group_by
from gitgpu.objects.objects import Extent, Given, Item
from gitgpu.source import Pointer, Span

_FORMAT = 2  # of marshal: later formats may write equal values in different ways


class Prepared(NamedTuple):
    """The objects of a group, and what else its findings depend on.

    `minor` is the Kubernetes version ("1.34"), `versions` are those of projects that other groups run in others.
    """

    items: Sequence[Item]
    minor: str
    extent: Extent
    versions: Versions = ()


Check: TypeAlias = Callable[[Prepared], list[Diagnostic]]
Equal: TypeAlias = Sequence[Prepared]  # equal groups
GroupFindings: TypeAlias = list[list[Diagnostic]]  # the findings of each of them
Spread: TypeAlias = Callable[[Sequence[Equal]], Sequence[GroupFindings]]


def check_once(groups: Sequence[Prepared], check: Spread) -> Iterator[Diagnostic]:
    """The findings of all groups, in order. `check` returns the findings of equal groups."""
    same = _equal(groups)
    results = check([list(map(groups.__getitem__, members)) for members in same])
    by_group: dict[int, list[Diagnostic]] = {}
    for members, findings in zip(same, results, strict=True):
        by_group.update(zip(members, findings, strict=True))
    for number in sorted(by_group):
        yield from by_group[number]


def _equal(groups: Sequence[Prepared]) -> list[list[int]]:
    """The indexes of groups that are equal."""
    if len(groups) == 1:  # it has no copies, and may be very large
        return [[0]]
    return list(group_by(range(len(groups)), lambda number: _digest(groups[number], number)).values())


def check_copies(copies: Equal, check: Check) -> GroupFindings:
    """The findings of each of these equal groups. A finding names its files, so each copy needs its own."""
    first, *others = copies
    if not others:
        return [check(first)]
    findings, read = recording_places(first, check)
    if not (findings or read):
        return [findings, *([] for _ in others)]
    return [findings, *map(check, others)]


def recording_places(group: Prepared, check: Check) -> tuple[list[Diagnostic], bool]:
    """The findings of a group, and whether `check` has read a place."""
    read: list[Pointer] = []
    recording: dict[int, Places] = {}  # items that share their places still share them afterwards
    for item in group.items:
        recording.setdefault(id(item.given.places), _RecordingPlaces(item.given.places, read))
    items = [
        Item(Given(item.given.body, recording[id(item.given.places)], item.given.patch), *item[1:])
        for item in group.items
    ]  # `_replace` takes three times as long
    return check(group._replace(items=items)), bool(read)


class _RecordingPlaces:
    """Places that record which pointers are read."""

    def __init__(self, places: Places, read: list[Pointer]) -> None:
        self._places, self._read = places, read

    def span(self, pointer: Sequence[str | int] = (), *, key: bool = False) -> Span:
        """The place of a value."""
        self._read.append(tuple(pointer))
        return self._places.span(pointer, key=key)


def _digest(group: Prepared, number: int) -> Hashable:
    """A value that is equal for equal groups; the index if a group contains values that marshal cannot write."""
    from hashlib import blake2b  # noqa: PLC0415  brings in OpenSSL; many runs have one group

    numbers: dict[int, int] = {}  # which items share their places
    for item in group.items:
        numbers.setdefault(id(item.given.places), len(numbers))
    try:
        content = marshal.dumps([(numbers[id(item.given.places)], *_content(item)) for item in group.items], _FORMAT)
    except ValueError:
        return number
    return *group[1:], blake2b(content, digest_size=16).digest()


def _content(item: Item) -> tuple[Any, ...]:
    """Everything that rules can read in an item, except its places."""
    by = item.delivered
    return (
        item.given.body,
        item.given.patch,
        tuple(item.identity),
        item.scope.value,
        item.sound,
        sorted(map(repr, item.flaws)),
        sorted(map(repr, item.holes)),
        item.bare,
        by and (by.by, by.written),
        item.renamed,
        item.written,
    )

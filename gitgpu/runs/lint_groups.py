"""Checks groups of objects: those that are equal once, and many of them in several processes.

Copies are common in repositories: a directory for each environment, examples for each version. Groups are equal if they
differ only in the places of their objects, and if one has no findings, the others have none either. So this is valid
only if no rule has read a place.
"""

import marshal
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, NamedTuple, TypeAlias

from gitgpu.diagnostic import Diagnostic, Places
from gitgpu.jobs import processes, results, shares
from gitgpu.model.software.cluster_releases import Versions
from gitgpu.objects.indexes import group_by
from gitgpu.objects.objects import Extent, Given, Item
from gitgpu.rules.object_rule import LARGE
from gitgpu.source import Pointer, Span

MIN_PARALLEL = 150  # groups: checking these takes longer than starting a process for each core
_TOGETHER = 50_000  # objects at a time: limits the memory for copies of shared objects
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
Prepare: TypeAlias = Callable[[frozenset[tuple[str, str]]], object]
Spread: TypeAlias = Callable[[Sequence[Equal]], Sequence[GroupFindings]]


def batches(groups: Iterable[Prepared]) -> Iterator[Sequence[Prepared]]:
    """The groups in parts of a limited number of objects."""
    part: list[Prepared] = []
    objects = 0
    for group in groups:
        part.append(group)
        objects += len(group.items)
        if objects >= _TOGETHER:
            yield part
            part, objects = [], 0
    if part:
        yield part


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


def division(sizes: Sequence[int], jobs: int | None) -> tuple[list[int], int]:
    """Given the numbers of objects of groups: the indexes of the small ones, and how many processes share these."""
    small = [index for index, size in enumerate(sizes) if size < LARGE]
    objects = sum(sizes[index] for index in small)
    return small, processes(jobs, len(small), MIN_PARALLEL) if objects >= LARGE else 1


def spread_groups(
    groups: Sequence[Equal],
    check: Callable[[Equal], GroupFindings],
    jobs: int | None,
    prepare: Prepare,
    count: Callable[[int], None],
) -> list[GroupFindings]:
    """The findings of equal groups. `jobs` processes share the small ones; None chooses the number.

    `prepare` imports what checking objects of these kinds needs; `count` gets the number of objects that were checked.
    """
    sizes = [len(copies[0].items) for copies in groups]
    small, number = division(sizes, jobs)
    if number > 1:  # what all workers need is imported once, before they start
        items = chain.from_iterable(groups[index][0].items for index in small)
        prepare(frozenset(item.identity[:2] for item in items))
    parts = shares(len(small), number, 1 if number == 1 else None)  # one process counts each group
    by_number: dict[int, GroupFindings] = {}
    found = results(lambda part: [check(groups[index]) for index in small[slice(*part)]], parts, number)
    for part, findings in zip(parts, found, strict=True):
        by_number.update(zip(small[slice(*part)], findings, strict=True))
        count(sum(sizes[index] for index in small[slice(*part)]))
    for index, copies in enumerate(groups):
        if index not in by_number:
            by_number[index] = check(copies)
            count(sizes[index])
    return [by_number[index] for index in range(len(groups))]

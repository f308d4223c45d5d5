"""Checks groups of objects in several processes."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import TypeAlias

from gitgpu.jobs import processes, results, shares
from gitgpu.objects.grouping.repeated_groups import Equal, GroupFindings, Prepared

MIN_LARGE = 200  # objects: from this size on, processes share the rules of a group; below, they share the groups
MIN_PARALLEL = 150  # groups: checking these takes longer than starting a process for each core
Prepare: TypeAlias = Callable[[frozenset[tuple[str, str]]], object]
_TOGETHER = 50_000  # objects at a time: limits the memory for copies of shared objects


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


def division(sizes: Sequence[int], jobs: int | None) -> tuple[list[int], int]:
    """Given the numbers of objects of groups: the indexes of the small ones, and how many processes share these."""
    small = [index for index, size in enumerate(sizes) if size < MIN_LARGE]
    objects = sum(sizes[index] for index in small)
    return small, processes(jobs, len(small), MIN_PARALLEL) if objects >= MIN_LARGE else 1


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

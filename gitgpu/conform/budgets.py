"""The disruption budgets of a NodePool, and when they hold."""

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any, NamedTuple

from gitgpu.conform.nodepools import NodePool
from gitgpu.conform.objects import reach
from gitgpu.model.cron import DAY, Cron, cron
from gitgpu.model.duration import seconds
from gitgpu.source import Pointer

BUDGETS: Pointer = ("spec", "disruption", "budgets")
REASONS = frozenset({"Underutilized", "Empty", "Drifted"})
WEEK = 7 * DAY  # in minutes, from Sunday 0:00 UTC


class Budget(NamedTuple):
    """One budget: its place, how many nodes it allows, for which reasons, and its schedule as written."""

    pointer: Pointer
    nodes: str
    reasons: frozenset[str]
    schedule: str | None
    duration: str | None

    @property
    def allows_none(self) -> bool:
        """Does it forbid every disruption while it holds?"""
        return not self.nodes.strip("%").strip("0")

    @property
    def always(self) -> bool:
        """Does it hold all the time, because it has no schedule?"""
        return self.schedule is None and self.duration is None

    def read(self) -> Cron | None:
        """Its schedule, when it has one that can be read."""
        try:
            return cron(self.schedule) if self.schedule is not None else None
        except ValueError:
            return None

    def week(self) -> frozenset[int]:
        """The minutes of every week in which its schedule makes it hold; none where weeks differ."""
        read = self.read()
        starts = _starts(read) if read else set()
        minutes = seconds(self.duration) // 60 if self.duration else 0
        held: set[int] = set()
        end = 0
        for minute in range(2 * WEEK) if starts else ():
            end = minute + minutes if minute % WEEK in starts else end
            if minute < end:
                held.add(minute % WEEK)
        return frozenset(held)


def budgets(pool: NodePool) -> Iterator[Budget]:
    """The budgets that a NodePool writes; none when it leaves them to their default."""
    for at, written in enumerate(reach(pool.item.body, *BUDGETS) or ()):
        yield _budget((*BUDGETS, at), written)


def _budget(pointer: Pointer, written: Mapping[str, Any]) -> Budget:
    reasons, nodes = written.get("reasons"), written.get("nodes")
    covers = REASONS if reasons is None else frozenset(reasons)
    return Budget(pointer, nodes or "10%", covers, written.get("schedule"), written.get("duration"))


def _starts(read: Cron) -> set[int]:
    """The minutes of the week at which a schedule begins, when every week is alike."""
    by_weekday: dict[int, list[int]] = {}
    for day in read.days:
        by_weekday.setdefault(day % 7, []).append(day)
    alike = all(b - a == 7 for days in by_weekday.values() for a, b in pairwise(days))
    some = all(len(days) > 1 for days in by_weekday.values())
    if not (alike and some):
        return set()
    return {weekday * DAY + minute for weekday in by_weekday for minute in read.minutes}

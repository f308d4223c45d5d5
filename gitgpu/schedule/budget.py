"""Disruption budgets as Karpenter reads them: when they apply, and when none of them does."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from gitgpu.model.syntax.cron import DAY, WINDOW, Cron, cron
from gitgpu.model.syntax.duration import seconds
from gitgpu.schedule.week import WEEK, WHOLE, active

_CONSOLIDATION = "Underutilized"  # of nodes that run pods
REASONS = frozenset({_CONSOLIDATION, "Empty", "Drifted"})


class Budget(NamedTuple):
    """One budget: its place in the list, how many nodes it allows, for which reasons, its schedule as written."""

    at: int
    nodes: str
    reasons: frozenset[str]
    schedule: str | None
    duration: str | None

    @property
    def allows_none(self) -> bool:
        """Whether it forbids every disruption while it applies."""
        return not self.nodes.strip("%").strip("0")

    def forbids(self, reason: str) -> bool:
        """Whether it forbids every disruption for this reason while it applies."""
        return self.allows_none and reason in self.reasons

    @property
    def always(self) -> bool:
        """Whether it always applies, because it has no schedule."""
        return self.schedule is None and self.duration is None

    def read(self) -> Cron | None:
        """Its schedule; None if it has none, or none that can be read."""
        return _read(self.schedule)

    def week(self) -> int:
        """The minutes of every week in which its schedule makes it apply (see `week`); 0 if weeks differ."""
        return _week(self.schedule, self.duration)

    def spans(self) -> Iterator[tuple[int, int]]:
        """When it applies, in minutes of the window of `cron`: the start and the end, which may be after the window."""
        read = self.read()
        length = seconds(self.duration) // 60 if self.duration else 0
        spans: list[tuple[int, int]] = []
        for start in read.minutes if read else ():
            if spans and start <= spans[-1][1]:
                spans[-1] = (spans[-1][0], start + length)
            else:
                spans.append((start, start + length))
        for day in read.days if read else ():
            yield from ((day * DAY + start, day * DAY + end) for start, end in spans)

    def pauses(self) -> bool:
        """Whether it has a schedule that can be read, and ends before it starts again."""
        gap = read.longest_gap if (read := self.read()) else None
        return bool(gap and self.duration and seconds(self.duration) < 60 * gap)


def _read(schedule: str | None) -> Cron | None:
    try:
        return cron(schedule) if schedule is not None else None
    except ValueError:
        return None


@lru_cache(16)  # many NodePools have the same budgets
def _week(schedule: str | None, duration: str | None) -> int:
    read = _read(schedule)
    return active(read, seconds(duration) // 60) if read and duration else 0


class Closed(NamedTuple):
    """The minutes per week in which budgets allow no disruption; `varies` if weeks differ, so that it is an average.

    `week` are the minutes of every week (see `week`), 0 if weeks differ.
    """

    minutes: float
    varies: bool
    week: int = 0


def closed_times(given: Iterable[Budget]) -> Closed:
    """When scheduled budgets that allow no node apply together."""
    windows = [candidate for candidate in given if candidate.allows_none and not candidate.always]
    if all(candidate.week() or not candidate.read() for candidate in windows):
        week = 0
        for candidate in windows:
            week |= candidate.week()
        return Closed(week.bit_count(), varies=False, week=week)
    spans = sorted(span for candidate in windows for span in candidate.spans())
    minutes, until = 0, WINDOW[0] * DAY
    for start, end in spans:
        minutes += max(0, end - max(start, until))
        until = max(until, end)
    return Closed(minutes * WEEK / (len(WINDOW) * DAY), varies=True)


class Unlimited(NamedTuple):
    """Reasons for which all nodes may be disrupted at once at some time. `budget` is the one that does not apply then.

    `every` says that these are all reasons of the pool; `week` are the minutes of every week without a limit (see
    `week`), 0 if weeks differ.
    """

    reasons: frozenset[str]
    every: bool
    budget: Budget
    week: int


def budget(index: int, written: Mapping[str, Any]) -> Budget:
    """A budget of a NodePool; 10% of the nodes by default."""
    reasons = written.get("reasons")
    covers = REASONS if reasons is None else frozenset(reasons)
    return Budget(index, written.get("nodes") or "10%", covers, written.get("schedule"), written.get("duration"))


def possible(disruption: Mapping[str, Any], *, static: bool) -> frozenset[str]:
    """The reasons for which Karpenter disrupts a pool's nodes at all; it never consolidates a static pool."""
    # Never turns off all consolidation, even of empty nodes. Drift is not consolidation.
    if static or disruption.get("consolidateAfter") == "Never":
        return frozenset({"Drifted"})
    return REASONS - {_CONSOLIDATION} if disruption.get("consolidationPolicy") == "WhenEmpty" else REASONS


def unlimited_times(given: Sequence[Budget], reasons: frozenset[str]) -> Iterator[Unlimited]:
    """The reasons for which scheduled budgets leave a time without a limit, grouped by that time."""
    by_time: dict[tuple[int, int], set[str]] = {}
    by_place = {candidate.at: candidate for candidate in given}
    for reason in sorted(reasons):
        budgets = [candidate for candidate in given if reason in candidate.reasons]
        if (free := _free(budgets)) is not None:
            allowing = next((candidate for candidate in budgets if not candidate.allows_none), budgets[0])
            by_time.setdefault((allowing.at, free), set()).add(reason)
    for (index, free), together in by_time.items():
        yield Unlimited(frozenset(together), together == reasons, by_place[index], free)


def may_consolidate(given: Sequence[Budget], reasons: frozenset[str]) -> bool:
    """Whether Karpenter may remove nodes that run pods, to pack the pods closer: not if a budget always forbids it."""
    permanent = [candidate for candidate in given if candidate.always]
    return _CONSOLIDATION in reasons and not any(candidate.forbids(_CONSOLIDATION) for candidate in permanent)


def overrules(first: Budget, other: Budget) -> bool:
    """Whether a budget that always applies makes another one void, because it never allows more than that one.

    A percentage and a number of nodes cannot be compared, unless the first is 0.
    """
    if not (first.always and other.reasons <= first.reasons) or other.allows_none:
        return False
    # Karpenter turns a percentage into nodes with the size that the pool has at that moment.
    scheduled = other.schedule is not None and first.nodes.endswith("%") == other.nodes.endswith("%")
    return first.allows_none or (scheduled and int(first.nodes.strip("%")) < int(other.nodes.strip("%")))


def _free(budgets: Sequence[Budget]) -> int | None:
    """The minutes of the week in which none of these budgets applies; None if there are none, or they are not known."""
    if not budgets:
        return None
    free = WHOLE
    for candidate in budgets:
        week = candidate.week()
        if not week:  # it always applies, or weeks differ
            return 0 if len(budgets) == 1 and candidate.pauses() else None
        free &= ~week
    return free or None

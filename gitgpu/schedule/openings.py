"""How many nodes the disruption budgets of a NodePool allow at a time, and when they next allow more.

As GetAllowedDisruptionsByReason and IsActive in pkg/apis/v1/nodepool.go of kubernetes-sigs/karpenter v1.14.0. Times are
minutes since the day with ordinal 0, in UTC.
"""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from math import ceil

from gitgpu.model.syntax.cron import DAY, WINDOW, Cron
from gitgpu.model.syntax.duration import seconds
from gitgpu.schedule.budget import Budget

_TRIES = 1000  # budgets that close each other's gaps in turn for longer than this never open, for a reader


def allowed_disruptions(budgets: Iterable[Budget], reason: str, nodes: int, minute: int) -> int | None:
    """How many of the nodes may be disrupted at a time; None if nothing limits it."""
    limits = (_limit(budget, nodes) for budget in budgets if reason in budget.reasons and _is_active(budget, minute))
    return min(limits, default=None)


def next_opening(budgets: Sequence[Budget], reason: str, nodes: int, busy: int, minute: int) -> int | None:
    """The first minute, from a minute on, at which more nodes than the busy ones may be disrupted; None if never."""
    for _ in range(_TRIES):
        closed_budgets = [
            budget
            for budget in budgets
            if reason in budget.reasons and _is_active(budget, minute) and _limit(budget, nodes) <= busy
        ]
        if not closed_budgets:
            return minute
        if any(budget.always or not budget.read() for budget in closed_budgets):
            return None
        if (ends := max(_end(budget, minute) for budget in closed_budgets)) >= WINDOW[-1] * DAY:
            return None
        minute = ends
    return None


def _limit(budget: Budget, nodes: int) -> int:
    """The number of nodes that it allows: a percentage is rounded up."""
    share = budget.nodes.removesuffix("%")
    return ceil(int(share) * nodes / 100) if share != budget.nodes else int(share)


def _is_active(budget: Budget, minute: int) -> bool:
    """Whether it applies. One whose schedule cannot be read allows no node at any time."""
    read = budget.read()
    return budget.always or read is None or _start(read, minute) > minute - _length(budget)


def _length(budget: Budget) -> int:
    return seconds(budget.duration) // 60 if budget.duration else 0


def _end(budget: Budget, minute: int) -> int:
    """When a budget with a schedule that applies ends: a start before the end extends it."""
    read, length = budget.read(), _length(budget)
    assert read is not None
    end = minute
    while (later := _start(read, end) + length) > end and end < WINDOW[-1] * DAY:
        end = later
    return end


def _start(read: Cron, minute: int) -> int:
    """The last start up to a minute; 0 if there is none in the window."""
    day, time = divmod(minute, DAY)
    at = bisect_right(read.days, day) - 1
    if at >= 0 and read.days[at] == day and read.minutes[0] <= time:
        return day * DAY + read.minutes[bisect_right(read.minutes, time) - 1]
    at -= at >= 0 and read.days[at] == day
    return read.days[at] * DAY + read.minutes[-1] if at >= 0 else 0

"""What the budgets of a pool do not limit, and what to add to them, in words that several rules use."""

from collections.abc import Iterable

from gitgpu.schedule.budget import Budget, Unlimited
from gitgpu.schedule.week import WEEK, schedules
from gitgpu.spelling import join_names


def gap_text(gap: Unlimited) -> str:
    """A description of the times in which a budget does not apply."""
    rest = f"{100 * gap.week.bit_count() // WEEK}% of the week" if gap.week else "the rest of the time"
    why = "" if gap.every else f" for {join_names(sorted(gap.reasons))}"
    return (
        f"no budget applies{why} outside '{gap.budget.schedule}' for {gap.budget.duration}: "
        f"in {rest} all nodes may be disrupted at once"
    )


def gap_remedy(gap: Unlimited) -> str:
    """The remedy: budgets that forbid disruption in the rest of the week, or one that allows it."""
    reasons = "" if gap.every else f", reasons: [{', '.join(sorted(gap.reasons))}]"
    spans = schedules(gap.week)
    forbidding = [f'{{nodes: "0"{reasons}, schedule: "{when}", duration: {lasts}}}' for when, lasts in spans]
    forbidden = " and ".join(forbidding) or 'budgets of nodes: "0" with a schedule and a duration for the other times'
    return f"to forbid disruption then, add {forbidden}; to allow it, add {{nodes: 100%{reasons}}}"


def uncovered_reasons(budgets: Iterable[Budget], reasons: frozenset[str]) -> frozenset[str]:
    """The reasons that no budget covers, except Empty: deleting empty nodes all at once interrupts no pod."""
    return reasons - frozenset({"Empty"}).union(*(budget.reasons for budget in budgets))


def default_remedy(reasons: frozenset[str]) -> str:
    """The remedy if nothing limits disruption for these reasons, or for any reason if none is given."""
    field = f", reasons: [{', '.join(sorted(reasons))}]" if reasons else ""
    return f"add {{nodes: 10%{field}}} to keep Karpenter's default, or {{nodes: 100%{field}}} if this is intended"

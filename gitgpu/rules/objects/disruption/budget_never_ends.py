"""Scheduled disruption budgets that forbid disruption all the time."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.objects.node.disruption_budgets import budgets, place, pools_with_budgets
from gitgpu.objects.node.node_pools import NodePool
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.schedule.budget import REASONS, Budget
from gitgpu.schedule.week import WHOLE
from gitgpu.source import pointer_text


def _check(objects: Objects) -> Iterator[Finding]:
    for pool in pools_with_budgets(objects):
        dated_budgets = [budget for budget in budgets(pool) if budget.schedule is not None]
        if dated_budgets:  # few pools have such budgets
            yield from _without_date(pool, dated_budgets)
            yield from _closed(pool, [budget for budget in dated_budgets if budget.allows_none])


def _without_date(pool: NodePool, dated: list[Budget]) -> Iterator[Finding]:
    for budget in dated:
        read = budget.read()
        if read and not (read.days and read.minutes):
            message = f"no date matches the schedule '{budget.schedule}', so the budget applies all the time"
            yield Finding(pool.item, place(budget, "schedule"), message, "use a day that exists in these months")


def _closed(pool: NodePool, blocks: list[Budget]) -> Iterator[Finding]:
    """The first reason for which disruption is never allowed, preferably one that no unscheduled budget forbids."""
    always = {}
    for budget in budgets(pool):
        if budget.always and budget.allows_none:
            always.update(dict.fromkeys(budget.reasons, budget))
    preferred = sorted(REASONS, key=lambda reason: (reason in always, reason))
    closed_reasons = [reason for reason in preferred if _covers_week(blocks, reason)]
    if not closed_reasons:
        return
    reason = closed_reasons[0]
    last = [budget for budget in blocks if reason in budget.reasons][-1]
    only = "" if len(closed_reasons) == len(REASONS) and not always else f" for the reason {reason}"
    message = f"the scheduled budgets with nodes: 0 cover the whole week{only}"
    yield Finding(pool.item, place(last, "duration"), message, _remedy(always.get(reason)))


def _covers_week(blocks: list[Budget], reason: str) -> bool:
    week = 0
    for budget in blocks:
        if reason in budget.reasons:
            week |= budget.week()
    return week == WHOLE


def _remedy(always: Budget | None) -> str:
    if always:
        return f"remove the scheduled budgets with nodes: 0: {pointer_text(place(always))} always applies"
    return "use a shorter duration, so that some time of the week is outside all of these budgets"


RULE = Rule(
    code="NPL012",
    name="budget-never-ends",
    twin="DIS006",
    severity=Severity.WARNING,
    summary="The scheduled disruption budgets of a NodePool leave no time for disruption.",
    help="Scheduled budgets with nodes: 0 are meant to leave some time for disruption. If the next one starts before "
    "the previous one ends, drifted nodes are never replaced. If the date of a schedule never occurs, Karpenter "
    "applies the budget all the time.",
    sources=(
        "https://github.com/kubernetes-sigs/karpenter/blob/1b4b3e8c829dea93c8a0429e0e27aa68edc98ed7/pkg/apis/v1/nodepool.go",
        "https://github.com/robfig/cron/blob/v3.0.1/spec.go",
    ),
    check=_check,
)

"""A scheduled budget that applies at all times."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.syntax.cron import cron
from gitgpu.model.syntax.duration import seconds
from gitgpu.model.value_origins import pool_place
from gitgpu.rules.fleet_rule import Finding, Rule


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Budgets that start again before they end, and budgets whose schedule matches no day."""
    for pool in inputs.nodepools:
        for index, budget in enumerate(pool.disruption.get("budgets", ())):
            if fault := _fault(budget):
                key, message, remedy = fault
                place = pool_place(pool, "disruption", "budgets", index, key)
                yield Finding(*place, message, remedy)


def _fault(budget: Mapping[str, Any]) -> tuple[str, str, str] | None:
    """The key, what is wrong with it and the remedy; None for a budget that ends."""
    # DIS001 reports a budget with one of the two. Without both, a budget is meant to apply at all times.
    if "schedule" not in budget or "duration" not in budget:
        return None
    try:
        gap = cron(budget["schedule"]).longest_gap
    except ValueError:
        return None  # DIS005 reports it
    if gap is None:
        message = f"'{budget['schedule']}' matches no day, and Karpenter then applies the budget at all times"
        return "schedule", message, "use a day that exists in its months"
    if seconds(budget["duration"]) < 60 * gap:
        return None
    message = f"the budget at '{budget['schedule']}' lasts {budget['duration']} and starts again before it ends"
    if gap == 1:
        return "schedule", message, "use a schedule that starts less often: the shortest duration is 1m"
    return "duration", message, f"set duration: {_half(gap)}, or another one below {_shown(gap)}"


def _half(gap: int) -> str:
    """Half of the time between two starts, in whole hours if it is at least one hour."""
    half = gap // 2
    return _shown(half - half % 60 if half >= 60 else half)


def _shown(minutes: int) -> str:
    hours, rest = divmod(minutes, 60)
    return "".join(f"{amount}{unit}" for amount, unit in ((hours, "h"), (rest, "m")) if amount)


RULE = Rule(
    code="DIS006",
    name="budget-never-ends",
    twin="NPL012",
    severity=Severity.WARNING,
    summary="A disruption budget with a schedule applies at all times.",
    help="A budget applies from each time of its schedule for its duration. A budget that starts again before it ends "
    "is the same as one without a schedule; with 0 nodes it keeps every node indefinitely.",
    sources=(
        "https://github.com/kubernetes-sigs/karpenter/blob/1b4b3e8c829dea93c8a0429e0e27aa68edc98ed7/pkg/apis/v1/nodepool.go",
        "https://github.com/robfig/cron/blob/bc59245fe10efaed9d51b56900192527ed733435/spec.go",
        "https://learn.microsoft.com/azure/aks/node-auto-provisioning-disruption",
    ),
    check=_check,
)

"""A disruption budget without effect, because another one that always applies allows less."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.objects.node.disruption_budgets import budgets, place, pools_with_budgets
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.schedule.budget import Budget, overrules
from gitgpu.source import pointer_text


def _check(objects: Objects) -> Iterator[Finding]:
    for pool in pools_with_budgets(objects):
        every_budget = budgets(pool)
        for block in every_budget:
            ignored = next((budget for budget in every_budget if overrules(block, budget)), None)
            if ignored:
                yield Finding(pool.item, place(block, "nodes"), _message(block, ignored), _REMEDY)
                break


_REMEDY = "add a schedule and a duration for the rest of the time, or remove one of the two budgets"


def _message(block: Budget, ignored: Budget) -> str:
    effect = f"so {pointer_text(place(ignored))} has no effect"
    if block.allows_none:
        return f"this budget always forbids disruption, {effect}"
    return f"this budget always applies and allows {block.nodes}, less than {ignored.nodes}, {effect}"


RULE = Rule(
    code="NPL011",
    name="overruled-budget",
    twin="DIS002",
    severity=Severity.WARNING,
    summary="A disruption budget without a schedule always allows less than another budget.",
    help="Karpenter uses the smallest of all budgets that apply. A budget without a schedule always applies, not only "
    "outside the schedules of the others. Drifted nodes are then never replaced, and nodes with idle GPUs are never "
    "removed.",
    sources=(
        "https://learn.microsoft.com/azure/aks/node-auto-provisioning-disruption#disruption-budgets",
        "https://github.com/kubernetes-sigs/karpenter/blob/1b4b3e8c829dea93c8a0429e0e27aa68edc98ed7/pkg/apis/v1/nodepool.go",
    ),
    check=_check,
)

"""A scheduled budget without effect, because another budget always allows less."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import pool_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.budgets import budgets
from gitgpu.schedule.budget import overrules


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Budgets without a schedule that allow less than one with a schedule."""
    for pool in inputs.pools:
        all_budgets = budgets(pool)
        scheduled_budgets = [budget for budget in all_budgets if budget.schedule is not None]
        for block in all_budgets:
            overruled = [budget.schedule for budget in scheduled_budgets if overrules(block, budget)]
            if overruled:
                place = pool_place(pool, "disruption", "budgets", block.at, "nodes")
                message = (
                    f"the budget of {block.nodes} nodes always applies, so the budget at '{overruled[0]}' has no effect"
                )
                remedy = "give it a schedule and a duration for the rest of the week, or remove it"
                yield Finding(*place, message, remedy)


RULE = Rule(
    code="DIS002",
    name="overruled-budget",
    twin="NPL011",
    severity=Severity.WARNING,
    summary="A budget without a schedule allows less than one with a schedule, which then has no effect.",
    help="Karpenter uses the smallest budget that applies, and a budget without a schedule always applies: it is not a "
    "default for the rest of the time. Drifted nodes are then never replaced and idle nodes never removed.",
    sources=(
        "https://learn.microsoft.com/azure/aks/node-auto-provisioning-disruption",
        "https://github.com/kubernetes-sigs/karpenter/blob/1b4b3e8c829dea93c8a0429e0e27aa68edc98ed7/pkg/apis/v1/nodepool.go",
    ),
    check=_check,
)

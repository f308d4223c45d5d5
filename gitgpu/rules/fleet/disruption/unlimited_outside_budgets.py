"""Budgets that forbid disruption at certain times or for certain reasons, and limit nothing otherwise."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import pool_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.budgets import budgets, open_times, possible_reasons
from gitgpu.schedule.open_budgets import default_remedy, gap_text, uncovered_reasons
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Pools whose budgets leave a time or a reason without a limit."""
    for pool in inputs.nodepools:
        for gap in open_times(pool):
            # DIS012 reports budgets that allow some nodes.
            if gap.budget.allows_none:
                place = pool_place(pool, "disruption", "budgets", gap.budget.at, "schedule")
                remedy = default_remedy(frozenset() if gap.every else gap.reasons)
                yield Finding(*place, gap_text(gap), remedy)
        every_budget = budgets(pool)
        # A pool without budgets has Karpenter's default of 10%.
        if every_budget and (missed := uncovered_reasons(every_budget, possible_reasons(pool))):
            message = f"no budget applies to {join_names(sorted(missed))}: all nodes may be disrupted at once"
            yield Finding(*pool_place(pool, "disruption", "budgets"), message, default_remedy(missed))


RULE = Rule(
    code="DIS013",
    name="unlimited-outside-budgets",
    twin="NPL029",
    severity=Severity.INFO,
    summary="Disruption budgets leave times or reasons without a limit.",
    help="Budgets only limit. At times and for reasons that no budget covers, Karpenter may disrupt all nodes of the "
    "pool at once: the default of 10% applies only to a pool without budgets.",
    sources=(
        "https://github.com/kubernetes-sigs/karpenter/blob/2266468104f36373ed002241afaee2d3bbc26078/pkg/apis/v1/nodepool.go",
        "https://github.com/kubernetes-sigs/karpenter/issues/1718",
        "https://github.com/kubernetes-sigs/karpenter/issues/1939",
    ),
    check=_check,
)

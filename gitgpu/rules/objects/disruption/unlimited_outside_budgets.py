"""Disruption budgets that forbid disruption at some times or for some reasons, and leave the rest unlimited."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.objects.node.disruption_budgets import BUDGETS, budgets, place, pools_with_budgets, possible_reasons
from gitgpu.objects.node.node_pools import NodePool
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.schedule.budget import unlimited_times
from gitgpu.schedule.open_budgets import default_remedy, gap_text, uncovered_reasons
from gitgpu.spelling import join_names


def _check(objects: Objects) -> Iterator[Finding]:
    for pool in pools_with_budgets(objects):
        yield from _unlimited(pool)


def _unlimited(pool: NodePool) -> Iterator[Finding]:
    every_budget = budgets(pool)
    reasons = possible_reasons(pool)
    for gap in unlimited_times(every_budget, reasons):
        if gap.budget.allows_none:
            remedy = default_remedy(frozenset() if gap.every else gap.reasons)
            yield Finding(pool.item, place(gap.budget, "schedule"), gap_text(gap), remedy)
    if missed := uncovered_reasons(every_budget, reasons):
        message = f"no budget covers {join_names(sorted(missed))}: Karpenter may disrupt all nodes at once"
        yield Finding(pool.item, BUDGETS, message, default_remedy(missed))


RULE = Rule(
    code="NPL029",
    name="unlimited-outside-budgets",
    twin="DIS013",
    severity=Severity.INFO,
    summary="Disruption budgets leave some times or reasons unlimited.",
    help="Budgets only limit. At times and for reasons that no budget covers, Karpenter may disrupt all nodes of the "
    "NodePool at once: the default of 10% applies only to a NodePool without budgets.",
    sources=(
        "https://github.com/kubernetes-sigs/karpenter/blob/2266468104f36373ed002241afaee2d3bbc26078/pkg/apis/v1/nodepool.go",
        "https://github.com/kubernetes-sigs/karpenter/issues/1718",
        "https://github.com/kubernetes-sigs/karpenter/issues/1939",
    ),
    check=_check,
)

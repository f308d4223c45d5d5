"""A disruption budget that allows disruption at some times, without a budget that limits the rest."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.objects.node.disruption_budgets import budgets, place, pools_with_budgets, possible_reasons
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.schedule.budget import unlimited_times
from gitgpu.schedule.open_budgets import gap_remedy, gap_text


def _check(objects: Objects) -> Iterator[Finding]:
    for pool in pools_with_budgets(objects):
        every_budget = budgets(pool)
        for gap in unlimited_times(every_budget, possible_reasons(pool)):
            if not gap.budget.allows_none:
                yield Finding(pool.item, place(gap.budget, "schedule"), gap_text(gap), gap_remedy(gap))


RULE = Rule(
    code="NPL028",
    name="unlimited-outside-schedule",
    twin="DIS012",
    severity=Severity.WARNING,
    summary="Disruption budgets limit disruption only at some times; at other times there is no limit.",
    help="Budgets only limit. When no budget applies, Karpenter may disrupt all nodes of the NodePool at once; the "
    "default of 10% applies only to a NodePool without budgets. A maintenance window needs two budgets: one for the "
    "window, and one with nodes: 0 for the rest of the week. Schedules are in UTC.",
    sources=(
        "https://github.com/aws/karpenter-provider-aws/issues/7026",
        "https://github.com/aws/karpenter-provider-aws/issues/7842",
        "https://github.com/kubernetes-sigs/karpenter/blob/2266468104f36373ed002241afaee2d3bbc26078/pkg/apis/v1/nodepool.go",
        "https://github.com/kubernetes-sigs/karpenter/issues/1939",
        "https://github.com/kubernetes-sigs/karpenter/issues/2183",
        "https://github.com/kubernetes-sigs/karpenter/issues/2218",
    ),
    check=_check,
)

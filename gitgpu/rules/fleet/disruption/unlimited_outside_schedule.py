"""A budget that allows some nodes at certain times, without one that limits disruption otherwise."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import pool_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.budgets import open_times
from gitgpu.schedule.open_budgets import gap_remedy, gap_text


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Pools whose budgets allow some nodes at certain times and limit nothing at other times."""
    for pool in inputs.nodepools:
        for gap in open_times(pool):
            # DIS013 reports budgets of 0 nodes.
            if not gap.budget.allows_none:
                place = pool_place(pool, "disruption", "budgets", gap.budget.at, "schedule")
                yield Finding(*place, gap_text(gap), gap_remedy(gap))


RULE = Rule(
    code="DIS012",
    name="unlimited-outside-schedule",
    twin="NPL028",
    severity=Severity.WARNING,
    summary="A disruption budget allows some nodes at certain times, and no budget applies at other times.",
    help="Budgets only limit. When none applies, Karpenter may disrupt all nodes of the pool at once; the default of "
    "10% applies only to a pool without budgets. A maintenance window needs two budgets: one for the window, and one "
    "of 0 nodes for the rest of the week. Schedules are in UTC.",
    sources=(
        "https://github.com/aws/karpenter-provider-aws/issues/7026",
        "https://github.com/kubernetes-sigs/karpenter/blob/2266468104f36373ed002241afaee2d3bbc26078/pkg/apis/v1/nodepool.go",
        "https://github.com/kubernetes-sigs/karpenter/issues/1939",
        "https://github.com/kubernetes-sigs/karpenter/issues/2183",
    ),
    check=_check,
)

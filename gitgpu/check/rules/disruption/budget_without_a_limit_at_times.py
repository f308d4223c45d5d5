"""Budgets that forbid disruption at certain times, or for certain reasons, limit nothing else."""

from collections.abc import Iterator

from gitgpu.check.budgets import bare, bounding, left_open, unlimited_rest
from gitgpu.check.names import join_names
from gitgpu.check.rule import Finding, Rule
from gitgpu.check.value_origins import pool_place
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.schedule.budget import budget, possible

BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: t4}
spec:
  clusters: [prod-swc]
  sku: Standard_NC16as_T4_v3
  limits: {gpus: 8}
  disruption:
    budgets:
    - {nodes: "0", schedule: "0 9 * * 1-5", duration: 8h}
"""
GOOD = f"""{BAD}    - {{nodes: "10%"}}
"""


def check(inputs: Inputs) -> Iterator[Finding]:
    """Pools whose budgets leave a time, or a reason, without a limit."""
    for pool in inputs.nodepools:
        for found in left_open(pool):
            if found.budget.allows_none:
                place = pool_place(inputs, pool, "disruption", "budgets", found.budget.at, "schedule")
                remedy = bounding(frozenset() if found.every else found.reasons)
                yield Finding(*place, unlimited_rest(found), remedy)
        given = [budget(at, one) for at, one in enumerate(pool.disruption.get("budgets", ()))]
        if given and (missed := bare(given, possible(pool.disruption))):
            message = f"no budget covers {join_names(sorted(missed))}: for that all nodes may be disrupted at once"
            yield Finding(*pool_place(inputs, pool, "disruption", "budgets"), message, bounding(missed))


RULE = Rule(
    code="DIS013",
    name="budget-without-a-limit-at-times",
    severity=Severity.INFO,
    summary="Disruption budgets leave times or reasons for which nothing is limited.",
    help="Budgets only limit. At the times and for the reasons that none of them covers, Karpenter may disrupt all "
    "nodes of the pool at once: the default of 10% counts only for a pool without budgets.",
    sources=(
        "https://github.com/kubernetes-sigs/karpenter/blob/2266468104f36373ed002241afaee2d3bbc26078/pkg/apis/v1/nodepool.go",
        "https://github.com/kubernetes-sigs/karpenter/issues/1718",
        "https://github.com/kubernetes-sigs/karpenter/issues/1939",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)

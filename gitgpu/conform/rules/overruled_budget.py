"""A disruption budget that never counts, because another forbids everything all the time."""

from collections.abc import Iterator

from gitgpu.conform.budgets import Budget, budgets
from gitgpu.conform.nodepools import every_node_pool
from gitgpu.conform.objects import Objects
from gitgpu.conform.rule import Finding, Rule
from gitgpu.diagnostic import Severity
from gitgpu.source import pointer_text


def _check(objects: Objects) -> Iterator[Finding]:
    for pool in every_node_pool(objects):
        given = list(budgets(pool))
        for block in filter(_blocks, given):
            idle = next((one for one in given if one.reasons <= block.reasons and not _blocks(one)), None)
            if idle:
                message = f"this budget always forbids disruption, so {pointer_text(idle.pointer)} never counts"
                remedy = "give it a schedule and a duration for the rest of the time, or remove one of the two"
                yield Finding(pool.item, (*block.pointer, "nodes"), message, remedy)
                break


def _blocks(budget: Budget) -> bool:
    return budget.always and budget.allows_none


RULE = Rule(
    code="NPL011",
    name="overruled-budget",
    severity=Severity.WARNING,
    summary="A disruption budget of no nodes has no schedule and stands beside others.",
    help="Of all budgets that hold the smallest counts, and one without a schedule always holds: it is no rule for the "
    "rest of the time. Drifted nodes are then never replaced, and idle GPUs are never given back.",
    sources=(
        "https://learn.microsoft.com/azure/aks/node-auto-provisioning-disruption#disruption-budgets",
        "https://github.com/kubernetes-sigs/karpenter/blob/1b4b3e8c829dea93c8a0429e0e27aa68edc98ed7/pkg/apis/v1/nodepool.go",
    ),
    check=_check,
    bad="""
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: general}
spec:
  disruption:
    consolidateAfter: 1h
    budgets:
    - {nodes: 50%, schedule: 0 0 * * 6, duration: 48h}
    - {nodes: "0"}
  template:
    spec:
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: default}
      requirements: []
""",
    good="""
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: general}
spec:
  disruption:
    consolidateAfter: 1h
    budgets:
    - {nodes: 50%, schedule: 0 0 * * 6, duration: 48h}
    - {nodes: "0", schedule: 0 0 * * 1, duration: 120h}
    - {nodes: "0", reasons: [Underutilized]}
  template:
    spec:
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: default}
      requirements: []
""",
)

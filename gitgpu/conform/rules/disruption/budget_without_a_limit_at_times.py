"""Disruption budgets that forbid disruption at certain times, or for certain reasons, and limit nothing else."""

from collections.abc import Iterator

from gitgpu.check.budgets import bare, bounding, unlimited_rest
from gitgpu.check.names import join_names
from gitgpu.conform.node.disruption_budgets import BUDGETS, budgets, place
from gitgpu.conform.node.node_pools import NodePool, every_node_pool
from gitgpu.conform.objects import Objects, reach
from gitgpu.conform.rule import Finding, Rule
from gitgpu.diagnostic import Severity
from gitgpu.schedule.budget import possible, unlimited


def _check(objects: Objects) -> Iterator[Finding]:
    for pool in every_node_pool(objects):
        yield from _found(pool)


def _found(pool: NodePool) -> Iterator[Finding]:
    given, reasons = budgets(pool), possible(reach(pool.item.body, *BUDGETS[:-1]) or {})
    for found in unlimited(given, reasons):
        if found.budget.allows_none:
            remedy = bounding(frozenset() if found.every else found.reasons)
            yield Finding(pool.item, place(found.budget, "schedule"), unlimited_rest(found), remedy)
    if given and (missed := bare(given, reasons)):
        message = f"no budget covers {join_names(sorted(missed))}: for that all nodes may be disrupted at once"
        yield Finding(pool.item, BUDGETS, message, bounding(missed))


RULE = Rule(
    code="NPL029",
    name="budget-without-a-limit-at-times",
    severity=Severity.INFO,
    summary="Disruption budgets leave times or reasons for which nothing is limited.",
    help="Budgets only limit. At the times and for the reasons that none of them covers, Karpenter may disrupt all "
    "nodes of the NodePool at once: the default of 10% counts only for a NodePool without budgets.",
    sources=(
        "https://github.com/kubernetes-sigs/karpenter/blob/2266468104f36373ed002241afaee2d3bbc26078/pkg/apis/v1/nodepool.go",
        "https://github.com/kubernetes-sigs/karpenter/issues/1718",
        "https://github.com/kubernetes-sigs/karpenter/issues/1939",
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
    - {nodes: "0", schedule: 0 9 * * mon-fri, duration: 8h}
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
    - {nodes: 10%}
    - {nodes: "0", schedule: 0 9 * * mon-fri, duration: 8h}
  template:
    spec:
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: default}
      requirements: []
""",
)

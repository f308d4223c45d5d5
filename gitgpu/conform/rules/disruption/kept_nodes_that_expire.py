"""Nodes that nothing may disrupt, and that are deleted after a month all the same."""

from collections.abc import Iterator

from gitgpu.conform.node.disruption_budgets import budgets, place
from gitgpu.conform.node.node_pools import SPEC, NodePool, every_node_pool
from gitgpu.conform.objects import Objects, reach
from gitgpu.conform.rule import Finding, Rule
from gitgpu.diagnostic import Change, Repair, Severity
from gitgpu.schedule.budget import REASONS
from gitgpu.source import Pointer

_NOTE: Pointer = ("spec", "template", "metadata", "annotations", "karpenter.sh/do-not-disrupt")


def _check(objects: Objects) -> Iterator[Finding]:
    for pool in every_node_pool(objects):
        at = _kept(pool)
        if at and reach(pool.item.body, *SPEC, "expireAfter") is None:
            message = "this keeps nodes from every disruption but expiry, and by default they expire after 720h"
            remedy = "write spec.template.spec.expireAfter: Never, or the age that is meant"
            repair = Repair(Change.ADD, SPEC, "Never", "expireAfter") if at == _NOTE else None
            yield Finding(pool.item, at, message, remedy, repair=repair)


def _kept(pool: NodePool) -> Pointer | None:
    """Where the NodePool says that its nodes are to stay."""
    if reach(pool.item.body, *_NOTE) == "true":
        return _NOTE
    given = budgets(pool)
    blocks = (one for one in given if one.always and one.allows_none and one.reasons == REASONS)
    found = next(blocks, None)
    return place(found, "nodes") if found else None


RULE = Rule(
    code="NPL022",
    name="kept-nodes-that-expire",
    severity=Severity.WARNING,
    summary="A NodePool forbids all disruption of its nodes and leaves expireAfter at its default of 30 days.",
    help="Expiry asks neither budgets nor do-not-disrupt: after 720 hours Karpenter drains the node, without starting "
    "another one first. A long training run then ends in the middle.",
    sources=(
        "https://learn.microsoft.com/azure/aks/node-auto-provisioning-disruption#expiration",
        "https://github.com/kubernetes-sigs/karpenter/blob/1b4b3e8c829dea93c8a0429e0e27aa68edc98ed7/pkg/controllers/nodeclaim/expiration/controller.go",
    ),
    check=_check,
    bad="""
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: training}
spec:
  disruption:
    consolidateAfter: Never
    budgets: [{nodes: "0"}]
  template:
    spec:
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: default}
      requirements: []
""",
    good="""
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: training}
spec:
  disruption:
    consolidateAfter: Never
    budgets: [{nodes: "0"}]
  template:
    spec:
      expireAfter: 2160h
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: default}
      requirements: []
""",
)

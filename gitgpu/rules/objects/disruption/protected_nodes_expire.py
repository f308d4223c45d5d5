"""Nodes that are protected from disruption, and still expire after 30 days."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Change, Repair, Severity
from gitgpu.model.names.annotations import DO_NOT_DISRUPT_ANNOTATION
from gitgpu.objects.node.disruption_budgets import budgets, place
from gitgpu.objects.node.node_pools import SPEC, NodePool, every_node_pool
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.schedule.budget import REASONS
from gitgpu.schedule.expiry import DEFAULT_EXPIRE_AFTER
from gitgpu.source import Pointer

_NOTE: Pointer = ("spec", "template", "metadata", "annotations", DO_NOT_DISRUPT_ANNOTATION)


def _check(objects: Objects) -> Iterator[Finding]:
    for pool in every_node_pool(objects):
        at = _protection(pool)
        if at and reach(pool.item.body, *SPEC, "expireAfter") is None:
            message = (
                "this protects nodes from all disruption except expiry, and by default they expire after "
                f"{DEFAULT_EXPIRE_AFTER}"
            )
            remedy = "set spec.template.spec.expireAfter: Never, or the intended maximum age"
            repair = Repair(Change.ADD, SPEC, "Never", "expireAfter") if at == _NOTE else None
            yield Finding(pool.item, at, message, remedy, repair=repair)


def _protection(pool: NodePool) -> Pointer | None:
    """The place where the NodePool forbids all disruption of its nodes."""
    if reach(pool.item.body, *_NOTE) == "true":
        return _NOTE
    for budget in budgets(pool):
        if budget.always and budget.allows_none and budget.reasons == REASONS:
            return place(budget, "nodes")
    return None


RULE = Rule(
    code="NPL022",
    name="protected-nodes-expire",
    severity=Severity.WARNING,
    summary="A NodePool forbids all disruption of its nodes and leaves expireAfter at its default of 30 days.",
    help="Expiry ignores budgets and do-not-disrupt: after 720 hours Karpenter drains the node, without starting "
    "another one first. This interrupts a long training run.",
    sources=(
        "https://learn.microsoft.com/azure/aks/node-auto-provisioning-disruption#expiration",
        "https://github.com/kubernetes-sigs/karpenter/blob/1b4b3e8c829dea93c8a0429e0e27aa68edc98ed7/pkg/controllers/nodeclaim/expiration/controller.go",
    ),
    check=_check,
    fixable=True,
)

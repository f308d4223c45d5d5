"""A NodePool with more replicas than its limit on nodes."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.syntax.quantity import quantity
from gitgpu.objects.node.node_pools import every_node_pool
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.spelling import count_text


def _check(objects: Objects) -> Iterator[Finding]:
    for pool in every_node_pool(objects):
        replicas, limit = reach(pool.item.body, "spec", "replicas"), pool.limits.get("nodes")
        if replicas is None or limit is None:  # not a static NodePool, or no limit
            continue
        try:
            maximum = quantity(limit)
        except ValueError:
            continue
        if replicas > maximum:
            message = f"the NodePool has {count_text(replicas, 'replica')}, but limits.nodes is {limit}"
            yield Finding(pool.item, ("spec", "replicas"), message, f"raise limits.nodes to {replicas} or more")


RULE = Rule(
    code="NPL025",
    name="replicas-above-limit",
    severity=Severity.WARNING,
    summary="A NodePool has more replicas than its limit on nodes allows.",
    help="Karpenter stops at the limit, so the NodePool never reaches its replicas. To replace a drifted node it needs "
    "room for one more.",
    sources=(
        "https://github.com/kubernetes-sigs/karpenter/blob/1b4b3e8c829dea93c8a0429e0e27aa68edc98ed7/pkg/controllers/static/provisioning/controller.go",
        "https://learn.microsoft.com/azure/aks/node-auto-provisioning-node-pools#static-node-pools",
    ),
    check=_check,
)

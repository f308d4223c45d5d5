"""A static NodePool whose replicas fill its limit on nodes."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.syntax.quantity import quantity
from gitgpu.objects.node.node_pools import every_node_pool
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for pool in every_node_pool(objects):
        replicas, limit = reach(pool.item.body, "spec", "replicas"), pool.limits.get("nodes")
        if not replicas or limit is None:  # not a static NodePool, or one without nodes or limit
            continue
        try:
            is_full = quantity(limit) == replicas  # NPL025 reports a lower limit
        except ValueError:
            continue
        if is_full:
            message = f"limits.nodes is {limit}, as many as replicas, so Karpenter replaces no drifted node"
            remedy = f"set limits.nodes to {replicas + 1} or more"
            yield Finding(pool.item, ("spec", "limits", "nodes"), message, remedy)


RULE = Rule(
    code="NPL093",
    name="static-pool-without-spare-node",
    twin="DIS016",
    severity=Severity.WARNING,
    summary="The limit on nodes of a static NodePool leaves no room for a replacement node.",
    help="Karpenter replaces a drifted node of a static NodePool by starting the new node first, and only within "
    "limits.nodes. If the replicas fill the limit, nodes keep their old image, Kubernetes version and settings until "
    "they expire or you delete them.",
    sources=(
        "https://github.com/kubernetes-sigs/karpenter/blob/1b4b3e8c829dea93c8a0429e0e27aa68edc98ed7/pkg/controllers/disruption/staticdrift.go",
        "https://github.com/kubernetes-sigs/karpenter/blob/1b4b3e8c829dea93c8a0429e0e27aa68edc98ed7/pkg/controllers/state/statenodepool.go",
    ),
    check=_check,
)

"""A static pool whose replicas fill its limit on nodes."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import pool_place
from gitgpu.rules.fleet_rule import Finding, Rule


def _check(inputs: Inputs) -> Iterator[Finding]:
    for pool in inputs.nodepools:
        replicas, maximum = pool.objects.replicas, pool.objects.most_nodes
        if replicas and maximum == replicas:  # SKU019 reports a lower limit
            message = f"limits.nodes is {maximum}, as many as replicas, so Karpenter replaces no drifted node"
            yield Finding(*pool_place(pool, "limits", "nodes"), message, f"set nodes: {replicas + 1} or more")


RULE = Rule(
    code="DIS016",
    name="static-pool-without-spare-node",
    twin="NPL093",
    severity=Severity.WARNING,
    summary="The limit on nodes of a static pool leaves no room for a replacement node.",
    help="Karpenter replaces a drifted node of a static NodePool by starting the new node first, and only within "
    "limits.nodes. If the replicas fill the limit, nodes keep their old image, Kubernetes version and settings until "
    "they expire or you delete them.",
    sources=(
        "https://github.com/kubernetes-sigs/karpenter/blob/1b4b3e8c829dea93c8a0429e0e27aa68edc98ed7/pkg/controllers/disruption/staticdrift.go",
        "https://github.com/kubernetes-sigs/karpenter/blob/1b4b3e8c829dea93c8a0429e0e27aa68edc98ed7/pkg/controllers/state/statenodepool.go",
    ),
    check=_check,
)

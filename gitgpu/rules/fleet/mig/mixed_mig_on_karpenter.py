"""Karpenter does not start a node for a MIG instance with its own resource name."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import clusters_with_provisioner
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.mig import MIG, mig_pools
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Pools with strategy: mixed on clusters with node auto-provisioning."""
    for pool, mig, clusters in mig_pools(inputs):
        if pool.by_karpenter and clusters and not mig.single:
            names = clusters_with_provisioner(pool, clusters)
            # nvidia.com/mig-*: whole GPUs sort first, and Karpenter starts nodes for them.
            resource = max(mig.resources)
            message = f"Karpenter on {join_names(names)} does not start a node for a pod that requests {resource}"
            remedy = (
                "set provisioner: fixed and the number of nodes; or set strategy: single with one profile, and use a "
                "pool for each profile"
            )
            yield Finding(pool.origin, (*MIG, "strategy"), message, remedy)


RULE = Rule(
    code="PRT006",
    name="mixed-mig-on-karpenter",
    severity=Severity.ERROR,
    summary="A pool uses the mixed MIG strategy on a cluster with node auto-provisioning.",
    help="Before a node exists, Karpenter counts its GPUs only as nvidia.com/gpu. A pod that requests "
    "nvidia.com/mig-* stays Pending, and one that requests nvidia.com/gpu gets a node that never advertises it. With "
    "the single strategy, instances are advertised as nvidia.com/gpu. Use one pool for each profile.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/instancetype/instancetype.go",
        "https://github.com/kubernetes-sigs/karpenter/blob/1b4b3e8c829dea93c8a0429e0e27aa68edc98ed7/pkg/controllers/nodeclaim/lifecycle/initialization.go",
    ),
    check=_check,
)

"""The cluster autoscaler on a node pool whose GPU software AKS manages."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.objects.node.agent_pools import agent_pools
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for pool in agent_pools(objects):
        if pool.manages_gpus and pool.spec.get("enableAutoScaling") is True:
            cause = f"the tag {pool.manages_gpus[-1]}" if "tags" in pool.manages_gpus else "managementMode: Managed"
            message = (
                f"{cause} requests managed GPU nodes, where AKS did not support the cluster autoscaler as a preview"
            )
            remedy = f"remove {cause} and install a device plugin yourself, or scale the pool manually with count"
            yield Finding(pool.item, pool.place("enableAutoScaling"), message, remedy)


RULE = Rule(
    code="APL095",
    name="autoscaled-managed-gpus",
    twin="AGP013",
    severity=Severity.WARNING,
    summary="An AKS node pool with managed GPUs uses the cluster autoscaler.",
    help="During the preview, AKS does not support the cluster autoscaler on managed GPU node pools: its guide says to "
    "scale them manually. Whether this holds since a stable version of Azure's API has managed GPU nodes is not known.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/aks-managed-gpu-nodes.md",
    ),
    check=_check,
)

"""stack.verify on a cluster with a pool that has no test."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.clusters import pools_with_clusters
from gitgpu.rules.inputs.requested_sizes import sizes_place


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Pools without a Job on clusters with verify."""
    for pool, clusters in pools_with_clusters(inputs):
        if pool.skus and not pool.provable and any(cluster.stack.verify for cluster in clusters):
            why = "there is no test for Windows nodes" if pool.windows else "GPU pods cannot start its nodes"
            message = f"{pool.name} gets no verification Job: {why}"
            remedy = "check the GPUs that its nodes advertise, and suppress VRF001 with the result as the reason"
            yield Finding(pool.origin, ("spec", "os") if pool.windows else sizes_place(pool), message, remedy)


RULE = Rule(
    code="VRF001",
    name="pool-not-verified",
    severity=Severity.WARNING,
    summary="stack.verify is enabled on a cluster with a pool that no Job can test.",
    help="gitgpu writes a Job for each pool, which runs a sample from NVIDIA or AMD on a GPU. The samples are Linux "
    "images, so Windows pools have no Job. Karpenter counts GPUs as Azure's size API does, and for some sizes the API "
    "reports no GPU: a pod that requests one does not get a node.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/use-windows-gpu.md",
        "https://docs.nvidia.com/datacenter/cloud-native/gpu-operator/latest/getting-started.html",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/instancetype/instancetype.go",
    ),
    check=_check,
)

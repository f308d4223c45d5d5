"""gpuInstanceProfile of AKS partitions the GPUs of a node pool in one of five ways."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.aks_node_pool import gpu_instance_profile
from gitgpu.model.driver_owner import BY_AKS, driver_on
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import clusters_with_provisioner
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.mig import MIG, mig_pools
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Pools whose GPUs AKS partitions, with a layout that AKS does not support."""
    for pool, _, clusters in mig_pools(inputs):
        aks_clusters = [cluster for cluster in clusters if driver_on(cluster, pool) in BY_AKS]
        # WIN010 reports a partition on Windows, PRT005 one on nodes of Karpenter.
        if (
            aks_clusters
            and not pool.by_karpenter
            and not pool.windows
            and gpu_instance_profile(pool, inputs.catalog) is None
        ):
            names = clusters_with_provisioner(pool, aks_clusters)
            profiles = ", ".join(inputs.catalog.must("pools", "aks")["migProfiles"])
            message = (
                f"gpuInstanceProfile has no value for this layout on {join_names(names)}; its values are {profiles}"
            )
            remedy = "fill A100, H100 or H200 GPUs with one profile, or set driver: operator"
            yield Finding(pool.origin, (*MIG, "profiles"), message, remedy)


RULE = Rule(
    code="PRT013",
    name="mig-layout-not-supported-by-aks",
    severity=Severity.ERROR,
    summary="An AKS node pool uses a MIG layout that gpuInstanceProfile does not support.",
    help="gpuInstanceProfile fills every GPU of the pool's nodes with instances of one size, each with the least "
    "memory of that size. Other layouts need the GPU Operator. From API version 2026-07-02-preview on, managed GPU "
    "nodes take a list of profiles (migProfiles), which gitgpu does not write yet.",
    sources=(
        "https://github.com/Azure/azure-rest-api-specs/pull/45980",
        "https://github.com/Azure/AgentBaker/blob/06836ee2301e362039418c3a7ed0fe6004a641fd/parts/linux/cloud-init/artifacts/mig-partition.sh",
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/gpu-multi-instance.md",
    ),
    facts=("pools/aks",),
    check=_check,
)

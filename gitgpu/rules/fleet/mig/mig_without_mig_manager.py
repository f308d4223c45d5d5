"""A pool with MIG needs software that applies the layout."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.aks_node_pool import gpu_instance_profile
from gitgpu.model.driver_owner import BY_AKS, driver_on
from gitgpu.model.fleet import Cluster, Pool
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.automatic import refused_software
from gitgpu.rules.inputs.drivers import conflict_with_place, installers, place
from gitgpu.rules.inputs.mig import MIG, mig_pools
from gitgpu.spelling import join_names

WITHOUT = {
    "managed": "AKS partitions the GPUs of AKS node pools only, also with managed GPU nodes",
    "none": "with driver: none, gitgpu installs nothing on the node",
    "aks-only": "AKS partitions the GPUs of AKS node pools only; node auto-provisioning has no such setting",
    "aks": "AKS partitions the GPUs of AKS node pools only; node auto-provisioning has no such setting",
}


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Pools with MIG on clusters where no software applies their layout."""
    for pool, _, clusters in mig_pools(inputs):
        # AUT001 reports what AKS Automatic rejects.
        other_clusters = [cluster for cluster in clusters if not refused_software(inputs, cluster, pool)]
        unpartitioned_clusters = [cluster for cluster in other_clusters if not _is_partitioned(pool, cluster)]
        for driver, names in sorted(installers(inputs, pool, unpartitioned_clusters).items()):
            conflict = conflict_with_place(pool, "the MIG layout is not applied", MIG)
            message = f"{conflict} on {join_names(names)}: {WITHOUT[driver]}"
            is_automatic = any(cluster.is_automatic for cluster in unpartitioned_clusters)
            remedy = "remove partition" if is_automatic else _remedy(pool, driver, inputs)
            yield Finding(pool.origin, place(pool, MIG), message, remedy)


def _remedy(pool: Pool, driver: str, inputs: Inputs) -> str:
    by_operator = "set driver: operator, whose MIG manager applies the layout"
    if driver in BY_AKS and gpu_instance_profile(pool, inputs.catalog):
        return f"{by_operator}; or set provisioner: fixed and the number of nodes, so that AKS applies it"
    return by_operator


def _is_partitioned(pool: Pool, cluster: Cluster) -> bool:
    """Whether the GPU Operator or AKS applies the layout on the cluster."""
    driver = driver_on(cluster, pool)
    return driver == "operator" or (driver in BY_AKS and not pool.by_karpenter)


RULE = Rule(
    code="PRT005",
    name="mig-without-mig-manager",
    twin="SHR016",
    severity=Severity.ERROR,
    summary="A pool has a MIG layout that no software applies.",
    help="AKS partitions GPUs by gpuInstanceProfile, a setting of its node pools that an AKSNodeClass does not have. "
    "The GPU Operator's MIG manager applies a layout on any node whose driver the operator installs.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/apis/v1beta1/aksnodeclass.go",
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/gpu-multi-instance.md",
        "https://github.com/NVIDIA/cloud-native-docs/blob/52dcb7b8d956784344e241df476de17094a4574c/gpu-operator/gpu-operator-mig.rst",
    ),
    check=_check,
)

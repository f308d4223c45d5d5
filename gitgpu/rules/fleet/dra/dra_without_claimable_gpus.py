"""NVIDIA's DRA driver needs a pool whose GPUs it can allocate."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.driver_owner import is_claimed
from gitgpu.model.fleet import Cluster
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.claims import dra_places
from gitgpu.spelling import join_names

_WANTED = {
    "dra": "driver: aks or driver: operator on a Linux pool with NVIDIA GPUs",
    "aks-dra": "driver: managed on a Linux pool with NVIDIA GPUs on a cluster with provisioner: cluster-autoscaler",
}


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Settings of allocation whose clusters have no pool with GPUs that can be claimed."""
    for place, clusters in dra_places(inputs.clusters):
        # The setting may be written before the first pool of a cluster.
        has_pools = any(inputs.pools_on(cluster) for cluster in clusters)
        if has_pools and not any(_has_claimable_gpus(cluster, inputs) for cluster in clusters):
            message = f"no pool of {join_names([cluster.name for cluster in clusters])} has GPUs that pods can claim"
            remedy = f"remove allocation, or set {_WANTED[clusters[0].stack.allocation]}"
            yield Finding(*place, message, remedy)


def _has_claimable_gpus(cluster: Cluster, inputs: Inputs) -> bool:
    return any(is_claimed(cluster, pool) for pool in inputs.pools_on(cluster))


RULE = Rule(
    code="DRA009",
    name="dra-without-claimable-gpus",
    severity=Severity.WARNING,
    summary="A cluster sets allocation: dra or aks-dra but has no pool with GPUs that can be claimed.",
    help="NVIDIA's DRA driver runs on Linux nodes with NVIDIA GPUs on which it replaces the device plugin: not on "
    "AKS-managed GPU nodes, and not with driver: none. With aks-dra, AKS runs it on AKS node pools with driver: "
    "managed only, not on nodes of Karpenter. On other nodes pods still request GPUs as an extended resource.",
    sources=(
        "https://github.com/NVIDIA/cloud-native-docs/blob/52dcb7b8d956784344e241df476de17094a4574c/gpu-operator/dra-intro-install.rst",
    ),
    check=_check,
)

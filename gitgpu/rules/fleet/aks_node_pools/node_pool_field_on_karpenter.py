"""Some fields apply to AKS node pools only."""

from collections.abc import Iterator, Mapping

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import clusters_with_provisioner, is_written
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.clusters import karpenter_pools_with_clusters
from gitgpu.spelling import join_names

REMEDIES: Mapping[str, str] = {
    "nodes": "remove it, and use limits for a maximum; for an AKS node pool, set provisioner: fixed or "
    "cluster-autoscaler",
    "nodePoolName": "remove it: the NodePool has the name of the pool; for an AKS node pool, set provisioner",
    "agentPool": "remove it: an AKSNodeClass has no such settings; for an AKS node pool, set provisioner",
    "capacityReservationGroup": "for an AKS node pool, set provisioner: fixed, and the number of nodes; Karpenter does "
    "not use reservations",
}


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Karpenter pools with fields of AKS node pools."""
    for pool, clusters in karpenter_pools_with_clusters(inputs):
        for key, remedy in REMEDIES.items():
            # Only what the pool itself sets: defaults may be for the AKS node pools of the fleet. AGP022 reports the
            # others.
            if clusters and is_written(pool.origin, ("spec", key)):
                names = clusters_with_provisioner(pool, clusters)
                message = (
                    f"{key} applies to AKS node pools only, but Karpenter creates the nodes on {join_names(names)}"
                )
                yield Finding(pool.origin, ("spec", key), message, remedy)


RULE = Rule(
    code="AGP004",
    name="node-pool-field-on-karpenter",
    severity=Severity.ERROR,
    of_running_nodes=True,
    summary="A pool whose nodes Karpenter creates has settings of AKS node pools.",
    help="Karpenter starts single machines for pending pods. A node count, a name in Azure and a capacity "
    "reservation are settings of an AKS node pool: GpuPools with provisioner: fixed or cluster-autoscaler.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/node-auto-provisioning.md",
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/cluster-autoscaler.md",
    ),
    check=_check,
)

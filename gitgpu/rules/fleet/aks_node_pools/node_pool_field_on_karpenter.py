"""Some fields apply to AKS node pools only."""

from collections.abc import Iterator, Mapping

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import cluster_with_place, is_written
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.clusters import karpenter_pools_with_clusters
from gitgpu.spelling import join_names

REMEDIES: Mapping[str, str] = {
    "nodes": "remove it, and use limits for a maximum; Karpenter has no minimum number of nodes",
    "nodePoolName": "remove it; the NodePool has the name of the pool",
    "agentPool": "remove it; an AKSNodeClass has no such settings",
    "capacityReservationGroup": "remove it; an AKSNodeClass has no capacity reservation",
}


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Karpenter pools with fields of AKS node pools."""
    for pool, clusters in karpenter_pools_with_clusters(inputs):
        for key, remedy in REMEDIES.items():
            # Only what the pool itself sets: defaults may be for the AKS node pools of the fleet. AGP022 reports the
            # others.
            if clusters and is_written(pool.origin, ("spec", key)):
                names = [cluster_with_place(cluster, "provisioner") for cluster in clusters]
                message = (
                    f"{key} applies to AKS node pools only, but Karpenter creates the nodes on {join_names(names)}"
                )
                yield Finding(pool.origin, ("spec", key), message, remedy)


RULE = Rule(
    code="AGP004",
    name="node-pool-field-on-karpenter",
    severity=Severity.ERROR,
    of_running_nodes=True,
    summary="A pool on a cluster with node auto-provisioning has settings of AKS node pools.",
    help="Karpenter starts single machines for pending pods. A node count, a name in Azure and a capacity "
    "reservation are settings of an AKS node pool, which the cluster autoscaler scales.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/node-auto-provisioning.md",
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/cluster-autoscaler.md",
    ),
    check=_check,
)

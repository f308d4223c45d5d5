"""An AKS Automatic cluster as Azure's API has it, for each language in which it is written."""

from typing import Any

from gitgpu.model.fleet import Cluster

TYPE = "Microsoft.ContainerService/managedClusters"
API = "2026-02-01"  # the first stable version with hostedSystemProfile: catalog/arm/managedClusters


def automatic_cluster(cluster: Cluster) -> dict[str, Any]:
    """The cluster with the names of Azure's API; {} if it is not AKS Automatic.

    Nor for one in a virtual network of the user, which takes more resources.
    """
    if not cluster.is_automatic or cluster.network.get("subnet"):
        return {}
    return {
        "name": cluster.aks_name,
        "location": cluster.region,
        "sku": {"name": "Automatic", "tier": "Standard"},
        "identity": {"type": "SystemAssigned"},
        "properties": {"kubernetesVersion": cluster.kubernetes, "hostedSystemProfile": {"enabled": True}},
    }

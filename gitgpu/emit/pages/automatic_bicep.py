"""An AKS Automatic cluster as a Bicep module."""

from typing import Any

from gitgpu.emit.bicep import bicep
from gitgpu.emit.page import Page
from gitgpu.model.fleet import Cluster
from gitgpu.model.spec.delivery import BICEP
from gitgpu.plan.decided.cluster import ClusterPlan

TYPE = "Microsoft.ContainerService/managedClusters"
API = "2026-02-01"  # the first stable version with hostedSystemProfile: catalog/arm/managedClusters
HEAD = """\
// This AKS Automatic cluster, in a virtual network that AKS manages. Deploy it into its resource group, to create it:
//     az deployment group create --resource-group {group} --template-file cluster.bicep
// AKS cannot change the SKU of an existing cluster to Automatic. What is not set here has the default of AKS Automatic:
// node auto-provisioning, KEDA, the Vertical Pod Autoscaler, LocalDNS, and upgrades by AKS."""


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


def write(plan: ClusterPlan) -> str:
    """A module; "" for any other cluster."""
    resource = automatic_cluster(plan.cluster) if plan.cluster.delivery.has(BICEP) else {}
    if not resource:
        return ""
    group = plan.cluster.azure.group if plan.cluster.azure else "my-group"
    return f"{HEAD.format(group=group)}\nresource cluster '{TYPE}@{API}' = {bicep(resource)}\n"


PAGE = Page("cluster.bicep", write)

"""An AKS Automatic cluster as a Bicep module."""

from collections.abc import Iterator

from gitgpu.emit.bicep import bicep
from gitgpu.emit.page import Page
from gitgpu.plan.decided.cluster import ClusterPlan

TYPE = "Microsoft.ContainerService/managedClusters"
API = "2026-02-01"  # the first stable version with hostedSystemProfile: catalog/arm/managedClusters
HEAD = """\
// This AKS Automatic cluster, in a virtual network that AKS manages. Deploy it into its resource group, to create it:
//     az deployment group create --resource-group {group} --template-file cluster.bicep
// AKS cannot change the SKU of an existing cluster to Automatic. What is not set here has the default of AKS Automatic:
// node auto-provisioning, KEDA, the Vertical Pod Autoscaler, LocalDNS, and upgrades by AKS."""


def write(plan: ClusterPlan) -> str:
    """A module; "" for any other cluster, and for one in a virtual network of the user, which takes more resources."""
    is_ours = plan.cluster.is_automatic and not plan.cluster.network.get("subnet")
    return "\n".join(_lines(plan)) + "\n" if is_ours else ""


def _lines(plan: ClusterPlan) -> Iterator[str]:
    cluster = plan.cluster
    yield HEAD.format(group=cluster.azure.group if cluster.azure else "my-group")
    resource = {
        "name": cluster.aks_name,
        "location": cluster.region,
        "sku": {"name": "Automatic", "tier": "Standard"},
        "identity": {"type": "SystemAssigned"},
        "properties": {"kubernetesVersion": cluster.kubernetes, "hostedSystemProfile": {"enabled": True}},
    }
    yield f"resource cluster '{TYPE}@{API}' = {bicep(resource)}"


PAGE = Page("cluster.bicep", write)

"""An AKS Automatic cluster as a Bicep module."""

from gitgpu.emit.azure_cluster import API, TYPE, automatic_cluster
from gitgpu.emit.bicep import bicep
from gitgpu.emit.page import Page
from gitgpu.model.spec.delivery import BICEP
from gitgpu.plan.decided.cluster import ClusterPlan

HEAD = """\
// This AKS Automatic cluster, in a virtual network that AKS manages. Deploy it into its resource group, to create it:
//     az deployment group create --resource-group {group} --template-file cluster.bicep
// AKS cannot change the SKU of an existing cluster to Automatic. What is not set here has the default of AKS Automatic:
// node auto-provisioning, KEDA, the Vertical Pod Autoscaler, LocalDNS, and upgrades by AKS."""


def write(plan: ClusterPlan) -> str:
    """A module; "" for any other cluster."""
    resource = automatic_cluster(plan.cluster) if plan.cluster.delivery.has(BICEP) else {}
    if not resource:
        return ""
    group = plan.cluster.azure.group if plan.cluster.azure else "my-group"
    return f"{HEAD.format(group=group)}\nresource cluster '{TYPE}@{API}' = {bicep(resource)}\n"


PAGE = Page("cluster.bicep", write)

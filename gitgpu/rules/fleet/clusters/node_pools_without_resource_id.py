"""A cluster with AKS node pools has a resourceId."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import KARPENTER, Cluster
from gitgpu.model.inputs import Inputs
from gitgpu.model.spec.origin import Origin
from gitgpu.model.value_origins import PROVISIONER, is_written
from gitgpu.rules.fleet_rule import Finding, Rule


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Clusters with AKS node pools and without a resourceId."""
    for cluster in inputs.clusters:
        if cluster.resource_id:
            continue
        for origin in _choosing(inputs, cluster):
            remedy = (
                f"set resourceId of {cluster.name} to the output of "
                f"`az aks show --name {cluster.name} --resource-group … --query id`"
            )
            yield Finding(origin, PROVISIONER, "AKS node pools need the resourceId of the cluster", remedy)


def _choosing(inputs: Inputs, cluster: Cluster) -> Iterator[Origin]:
    """The documents that set AKS node pools for a cluster: the Cluster, or its pools."""
    if cluster.provisioner != KARPENTER:
        yield cluster.origin
        return
    for pool in inputs.pools_on(cluster):
        # AGP003 reports a pool that another default than that of its cluster makes a node pool.
        if not pool.by_karpenter and is_written(pool.origin, PROVISIONER):
            yield pool.origin


RULE = Rule(
    code="AGP001",
    name="node-pools-without-resource-id",
    severity=Severity.ERROR,
    summary="A cluster has AKS node pools and no resourceId.",
    help="Azure Service Operator and the commands of the runbook identify the AKS cluster of a node pool by its "
    "resource ID.",
    sources=(
        "https://github.com/Azure/azure-service-operator/blob/70edf9f0cf858de880e3d6105fe7ab84783d7576/v2/samples/containerservice/v20250801/v20250801_managedclustersagentpool.yaml",
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/create-node-pools.md",
    ),
    check=_check,
)

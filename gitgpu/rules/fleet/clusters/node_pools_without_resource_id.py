"""A cluster with AKS node pools has a resourceId."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet_rule import Finding, Rule


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Clusters with the cluster autoscaler and without a resourceId."""
    for cluster in inputs.clusters:
        if cluster.has_node_pools and not cluster.resource_id:
            remedy = (
                f"set resourceId to the output of `az aks show --name {cluster.name} --resource-group … --query id`"
            )
            yield Finding(
                cluster.origin, ("spec", "provisioner"), "AKS node pools need the resourceId of the cluster", remedy
            )


RULE = Rule(
    code="AGP001",
    name="node-pools-without-resource-id",
    severity=Severity.ERROR,
    summary="A cluster has the cluster autoscaler and no resourceId.",
    help="Azure Service Operator and the commands of the runbook identify the AKS cluster of a node pool by its "
    "resource ID.",
    sources=(
        "https://github.com/Azure/azure-service-operator/blob/70edf9f0cf858de880e3d6105fe7ab84783d7576/v2/samples/containerservice/v20250801/v20250801_managedclustersagentpool.yaml",
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/create-node-pools.md",
    ),
    check=_check,
)

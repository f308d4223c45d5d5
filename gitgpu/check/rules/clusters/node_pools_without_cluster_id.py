"""A cluster with node pools says which Azure resource it is."""

from collections.abc import Iterator

from gitgpu.check.node_pools import EXAMPLE
from gitgpu.check.rule import Finding, Rule
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs

BAD = EXAMPLE[: EXAMPLE.index("  resourceId")]
GOOD = EXAMPLE


def check(inputs: Inputs) -> Iterator[Finding]:
    """Clusters whose node pools nobody could be told to make."""
    for cluster in inputs.clusters:
        if cluster.has_node_pools and not cluster.resource_id:
            remedy = f"write resourceId: what `az aks show --name {cluster.name} --resource-group … --query id` prints"
            yield Finding(cluster.origin, ("spec", "provisioner"), "node pools need to know the AKS cluster", remedy)


RULE = Rule(
    code="AGP001",
    name="node-pools-without-cluster-id",
    severity=Severity.ERROR,
    summary="A cluster has the cluster autoscaler and no resourceId.",
    help="A node pool is a part of an AKS cluster: Azure Service Operator and the commands of the runbook have to name "
    "it.",
    sources=(
        "https://github.com/Azure/azure-service-operator/blob/70edf9f0cf858de880e3d6105fe7ab84783d7576/v2/samples/containerservice/v20250801/v20250801_managedclustersagentpool.yaml",
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/create-node-pools.md",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)

"""The metrics of two AKS clusters with one name cannot be told apart in one workspace."""

from collections.abc import Iterator

from gitgpu.check.rule import Finding, Rule
from gitgpu.check.servers import host, of_azure
from gitgpu.check.value_origins import cluster_with_place
from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Cluster
from gitgpu.model.inputs import Inputs
from gitgpu.source import Pointer

WHERE: Pointer = ("spec", "resourceId")
GROUPS = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups"
BAD = f"""\
apiVersion: gitgpu.dev/v1alpha1
kind: Fleet
metadata: {{name: contoso-ai}}
spec:
  delivery: {{repository: https://github.com/contoso/gpu-fleet}}
  defaults:
    stack:
      metrics:
        scrape: azure-managed
        workspace: {GROUPS}/monitoring/providers/Microsoft.Monitor/accounts/gpu-metrics
---
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {{name: prod-eus}}
spec:
  region: eastus
  kubernetesVersion: "1.36"
  resourceId: {GROUPS}/gpu-eus/providers/Microsoft.ContainerService/managedClusters/aks
---
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {{name: prod-swc}}
spec:
  region: swedencentral
  kubernetesVersion: "1.36"
  resourceId: {GROUPS}/gpu-swc/providers/Microsoft.ContainerService/managedClusters/aks
"""
GOOD = "managedClusters/aks-swc".join(BAD.rsplit("managedClusters/aks", 1))


def check(inputs: Inputs) -> Iterator[Finding]:
    """Clusters whose AKS clusters have one name in two places, and one workspace for their metrics."""
    first: dict[tuple[str, str], Cluster] = {}
    for cluster in inputs.clusters:
        store = _store(cluster, inputs)
        if not store or not cluster.resource_id:
            continue
        other = first.setdefault((store, cluster.aks_name), cluster)
        if (other.resource_id or "").lower() != cluster.resource_id.lower():
            there = cluster_with_place(other, "resourceId")
            message = f"in one workspace the metrics of {there} have the label cluster={cluster.aks_name}, too"
            remedy = "give each its own workspace under stack.metrics, with its server"
            yield Finding(cluster.origin, WHERE, message, remedy)


def _store(cluster: Cluster, inputs: Inputs) -> str:
    """The workspace of the metrics, by its ID or else by its query endpoint; "" where neither is known."""
    metrics = cluster.stack.metrics
    if metrics.scrape != "azure-managed":
        return ""
    endpoint = host(metrics.server) if of_azure(metrics.server, inputs.catalog) else ""
    return (metrics.workspace or "").lower() or endpoint


RULE = Rule(
    code="MET067",
    name="clusters-with-one-label",
    severity=Severity.WARNING,
    summary="Two AKS clusters with one name send their metrics to one Azure Monitor workspace.",
    help="Azure's agent writes the last part of the cluster's resource ID to the label cluster. Two AKS clusters of "
    "one name, in two resource groups, share it: queries and alerts about one take in the GPUs of the other.",
    sources=(
        "https://github.com/Azure/prometheus-collector/blob/39583fd50b2f828f83cc18fc0cece9e3074f56db/otelcollector/shared/configmap/mp/tomlparser-prometheus-collector-settings.go",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)

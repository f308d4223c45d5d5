"""Two AKS clusters with the same name and the same workspace: their metrics have the same label cluster."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Cluster
from gitgpu.model.inputs import Inputs
from gitgpu.model.metrics.servers import host, of_azure
from gitgpu.model.value_origins import cluster_with_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.source import Pointer

WHERE: Pointer = ("spec", "resourceId")


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Clusters whose AKS clusters have the same name, different IDs and the same workspace."""
    first: dict[tuple[str, str], Cluster] = {}
    for cluster in inputs.clusters:
        store = _store(cluster, inputs)
        # Without its ID, the AKS cluster may have a different name than the Cluster.
        if not store or not cluster.resource_id:
            continue
        other = first.setdefault((store, cluster.aks_name), cluster)
        # CLU008 reports two clusters with the same ID.
        if (other.resource_id or "").lower() != cluster.resource_id.lower():
            its_place = cluster_with_place(other, "resourceId")
            message = f"the metrics of {its_place} in the same workspace also have the label cluster={cluster.aks_name}"
            remedy = "give each cluster its own stack.metrics.workspace, and the server of that workspace"
            yield Finding(cluster.origin, WHERE, message, remedy)


def _store(cluster: Cluster, inputs: Inputs) -> str:
    """The workspace of the metrics: its ID, otherwise its query endpoint; "" if neither is known."""
    metrics = cluster.stack.metrics
    if metrics.scrape != "azure-managed":
        return ""
    endpoint = host(metrics.server) if of_azure(metrics.server, inputs.catalog) else ""
    return (metrics.workspace or "").lower() or endpoint


RULE = Rule(
    code="MET067",
    name="clusters-with-same-metrics-label",
    severity=Severity.WARNING,
    summary="Two AKS clusters with the same name send their metrics to the same Azure Monitor workspace.",
    help="Azure's agent sets the label cluster to the last part of the cluster's resource ID. Two AKS clusters with "
    "the same name in two resource groups share it: queries and alerts about one include the GPUs of the other.",
    sources=(
        "https://github.com/Azure/prometheus-collector/blob/39583fd50b2f828f83cc18fc0cece9e3074f56db/otelcollector/shared/configmap/mp/tomlparser-prometheus-collector-settings.go",
    ),
    check=_check,
)

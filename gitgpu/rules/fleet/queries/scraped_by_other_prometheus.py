"""Azure scrapes the GPU metrics, but KEDA queries another Prometheus."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.metrics.servers import of_azure
from gitgpu.model.value_origins import stack_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.scaled_workloads import clusters_of, gpu_signals


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Clusters that Azure scrapes, if a GPU metric is queried from another server; one finding per place."""
    findings: dict[object, Finding] = {}
    asking: set[str] = set()
    for workload, _, _ in gpu_signals(inputs):
        asking.update(cluster.name for cluster in clusters_of(inputs, workload))
    for cluster in inputs.clusters:
        metrics = cluster.stack.metrics
        if cluster.name in asking and metrics.scrape == "azure-managed" and metrics.server:
            if of_azure(metrics.server, inputs.catalog):
                continue
            origin, where = stack_place(cluster, "metrics", "server")
            message = (
                "Azure scrapes the GPU metrics, but this server is not the query endpoint of an Azure Monitor workspace"
            )
            remedy = "use the workspace's query endpoint, or set scrape: prometheus-operator and remove identity"
            findings[origin.ref, where] = Finding(origin, where, f"{message}: it may not have them", remedy)
    yield from findings.values()


RULE = Rule(
    code="SCL025",
    name="scraped-by-other-prometheus",
    twin="MON004",
    severity=Severity.WARNING,
    summary="Azure scrapes the GPU metrics, but KEDA queries another Prometheus.",
    help="azure-managed and prometheus-operator each have their own kind of ServiceMonitor and their own store. A "
    "query to a store that does not scrape the cluster returns no data. A proxy or a private DNS name in front of the "
    "workspace is an exception.",
    sources=(
        "https://learn.microsoft.com/azure/azure-monitor/metrics/azure-monitor-workspace-overview",
        "https://learn.microsoft.com/azure/aks/autoscale-gpu-workloads-with-keda",
    ),
    check=_check,
)

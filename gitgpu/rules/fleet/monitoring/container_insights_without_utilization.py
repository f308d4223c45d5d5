"""Container insights is set to show GPU utilization that no exporter provides."""

from collections.abc import Iterator
from itertools import chain

from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Cluster
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import stack_place, with_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.exported_metrics import by_gitgpu, find_export_gap


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Clusters on which no gitgpu exporter provides the metrics that the agent of Container insights scrapes."""
    for cluster in inputs.clusters:
        if cluster.stack.metrics.insights == "utilization" and (why := _why(inputs, cluster)):
            origin, where = stack_place(cluster, "metrics", "containerInsights")
            message = f"Container insights gets no GPU utilization on {cluster.name}: {why}"
            yield Finding(origin, where, message, "set containerInsights: inventory, or let gitgpu export it")


def _why(inputs: Inputs, cluster: Cluster) -> str:
    """Why no exporter provides them; "" if one does."""
    metrics, catalog = cluster.stack.metrics, inputs.catalog
    if not metrics.exporter:
        return with_place("stack.metrics.exporter is false", *stack_place(cluster, "metrics", "exporter"))
    if not any(by_gitgpu(cluster, pool) for pool in inputs.pools_on(cluster)):
        return "gitgpu's exporter runs on Linux nodes with driver: aks, and no pool has them"
    for fields in chain.from_iterable(row["needs"] for row in catalog.rows("queries").values()):
        if not any(find_export_gap(field, metrics, catalog) for field in fields):
            return ""
    counters = with_place("stack.metrics.counters", *stack_place(cluster, "metrics", "counters"))
    return f"{counters} does not list any of its fields"


RULE = Rule(
    code="MET060",
    name="container-insights-without-utilization",
    severity=Severity.ERROR,
    summary="Container insights is set to show GPU utilization, but no exporter provides it.",
    help="The agent of Container insights counts GPUs itself, but must scrape their utilization: kubelets no longer "
    "report it. gitgpu lets the agent scrape the exporters that it installs.",
    sources=(
        "https://github.com/microsoft/Docker-Provider/blob/b78055842aead6e9a6329fd83db20341e8eec35d/source/plugins/go/input/lib/cadvisor.go",
        "https://learn.microsoft.com/azure/azure-monitor/containers/container-insights-gpu-monitoring",
    ),
    check=_check,
)

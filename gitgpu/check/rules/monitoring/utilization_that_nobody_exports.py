"""Container insights shows how busy GPUs are only where gitgpu exports it."""

from collections.abc import Iterator

from gitgpu.check.exported_metrics import by_gitgpu, left_out
from gitgpu.check.rule import Finding, Rule
from gitgpu.check.value_origins import stack_place, with_place
from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Cluster
from gitgpu.model.inputs import Inputs

BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: prod-swc}
spec:
  region: swedencentral
  kubernetesVersion: "1.36"
  stack: {metrics: {exporter: false, containerInsights: utilization}}
"""
GOOD = BAD.replace("exporter: false", "exporter: true")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Clusters on which no exporter of gitgpu's has anything for the agent of Container insights."""
    for cluster in inputs.clusters:
        if cluster.stack.metrics.insights == "utilization" and (why := _why(inputs, cluster)):
            origin, where = stack_place(inputs, cluster, "metrics", "containerInsights")
            message = f"nothing tells the agent on {cluster.name} how busy GPUs are: {why}"
            yield Finding(origin, where, message, "write containerInsights: inventory, or let gitgpu export it")


def _why(inputs: Inputs, cluster: Cluster) -> str:
    metrics, catalog = cluster.stack.metrics, inputs.catalog
    if not metrics.exporter:
        return with_place("stack.metrics.exporter is false", *stack_place(inputs, cluster, "metrics", "exporter"))
    if not any(by_gitgpu(cluster, pool) for pool in inputs.pools_on(cluster)):
        return "gitgpu's own exporter runs on Linux nodes with driver: aks, and there is none"
    needs = [one for row in catalog.rows("queries").values() for one in row["needs"]]
    lost = all(any(left_out(field, metrics, catalog) for field in one) for one in needs)
    counters = with_place("stack.metrics.counters", *stack_place(inputs, cluster, "metrics", "counters"))
    return f"{counters} leaves out every field for it" if lost else ""


RULE = Rule(
    code="MET060",
    name="utilization-that-nobody-exports",
    severity=Severity.ERROR,
    summary="Container insights shall show how busy GPUs are, and nothing exports it for the agent.",
    help="The agent of Container insights counts GPUs by itself. How busy they are it has to scrape: kubelets no "
    "longer report it, and gitgpu lets the agent scrape the exporters that it installs.",
    sources=(
        "https://github.com/microsoft/Docker-Provider/blob/b78055842aead6e9a6329fd83db20341e8eec35d/source/plugins/go/input/lib/cadvisor.go",
        "https://learn.microsoft.com/azure/azure-monitor/containers/container-insights-gpu-monitoring",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)

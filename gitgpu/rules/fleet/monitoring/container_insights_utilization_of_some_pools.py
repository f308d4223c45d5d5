"""Container insights shows the GPU utilization of some pools only."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import stack_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.exported_metrics import by_gitgpu
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Clusters with pools where gitgpu's exporter runs and pools where it does not."""
    for cluster in inputs.clusters:
        pools = inputs.pools_on(cluster)
        others = [pool.name for pool in pools if not by_gitgpu(cluster, pool)]
        # MET060 reports clusters where no pool has an exporter that gitgpu installs.
        if cluster.stack.metrics.insights == "utilization" and 0 < len(others) < len(pools):
            origin, where = stack_place(cluster, "metrics", "containerInsights")
            message = f"Container insights does not show the GPU utilization of {join_names(others)} on {cluster.name}"
            remedy = "set containerInsights: inventory, or suppress this finding and use Prometheus for these pools"
            yield Finding(origin, where, message, remedy)


RULE = Rule(
    code="MET061",
    name="container-insights-utilization-of-some-pools",
    severity=Severity.WARNING,
    summary="Container insights shows the GPU utilization of only some pools of the cluster.",
    help="The agent scrapes pods with its annotation. gitgpu sets it on its own exporters; the exporters of the GPU "
    "Operator and of AKS managed nodes do not have it, and nodes with driver: none have no gitgpu exporter.",
    sources=(
        "https://github.com/microsoft/Docker-Provider/blob/b78055842aead6e9a6329fd83db20341e8eec35d/build/common/installer/scripts/tomlparser-prom-customconfig.rb",
        "https://learn.microsoft.com/azure/azure-monitor/containers/container-insights-prometheus-logs",
    ),
    check=_check,
)

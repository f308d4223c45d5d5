"""A HorizontalPodAutoscaler on metrics in an Azure Monitor workspace, which Prometheus Adapter cannot read."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Cluster
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import stack_with_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.scaled_workloads import scaled_workloads
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Workloads on clusters that Azure scrapes; an adapter that gitgpu does not install may go through a proxy."""
    for workload, scaling, clusters in scaled_workloads(inputs):
        affected_clusters = [cluster for cluster in clusters if _is_affected(cluster)]
        if scaling.engine == "hpa" and affected_clusters:
            names = join_names([stack_with_place(cluster, "metrics", "scrape") for cluster in affected_clusters])
            message = f"Prometheus Adapter cannot read the metrics of {names} from the Azure Monitor workspace"
            remedy = "set engine: keda, or let a Prometheus in the cluster scrape it"
            yield Finding(workload.origin, ("spec", "scaling", "engine"), message, remedy)


def _is_affected(cluster: Cluster) -> bool:
    return cluster.stack.metrics.scrape == "azure-managed" and cluster.stack.adapter == "helm"


RULE = Rule(
    code="SCL028",
    name="hpa-on-azure-metrics",
    severity=Severity.ERROR,
    summary="A workload has engine: hpa, but its metrics are in an Azure Monitor workspace.",
    help="The workspace requires a token of Microsoft Entra ID. The adapter supports at most a fixed bearer token; "
    "KEDA signs in with workload identity.",
    sources=(
        "https://learn.microsoft.com/azure/azure-monitor/metrics/prometheus-api-promql",
        "https://github.com/kubernetes-sigs/prometheus-adapter/blob/01919d0ef11859bc214e0c8a8bd5368afd9d47f7/cmd/adapter/adapter.go",
    ),
    check=_check,
)

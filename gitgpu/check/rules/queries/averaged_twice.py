"""A query that is an average, and is divided by the number of replicas again."""

from collections.abc import Iterator

from gitgpu.check.rule import Finding, Rule
from gitgpu.check.scaled_workloads import queries
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.metrics.gpu_averages import around_gpu_metrics
from gitgpu.model.metrics.promql import read

BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: prod-swc}
spec:
  region: swedencentral
  kubernetesVersion: "1.36"
  stack: {metrics: {scrape: prometheus-operator, server: "http://prometheus.monitoring:9090"}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuWorkload
metadata: {name: ranker, namespace: serving}
spec:
  pools: [t4]
  target: {kind: Deployment, name: ranker}
  scaling: {metric: query, query: avg(requests_waiting), target: 5, max: 8}
"""
BAD_MAX = BAD.replace("avg(requests_waiting)", "max(DCGM_FI_DEV_GPU_UTIL)")
BAD_OF_AMD = BAD.replace("avg(requests_waiting)", "min(gpu_gfx_activity)")
GOOD = BAD.replace("avg(", "sum(")


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Queries that are an average as a whole. SCL020 reports those that return several series."""
    for workload, query, place in queries(inputs):
        whole = read(query)
        if whole is None or whole.by or whole.without:
            continue
        if whole.name == "avg" or around_gpu_metrics(whole, inputs.catalog):
            message = f"{whole.name}(...) is divided by the number of replicas again, because target is per replica"
            remedy = f"use sum(...) in place of {whole.name}(...), or set metric: gpu-utilization in place of query"
            yield Finding(workload.origin, place, message, remedy)


RULE = Rule(
    code="SCL021",
    name="averaged-twice",
    severity=Severity.WARNING,
    summary="The query that a workload scales on is an average, which KEDA divides by the number of replicas again.",
    help="gitgpu writes metricType: AverageValue for a query, so KEDA divides the result by the number of replicas. "
    "The result should grow with the load, but an average does not: with twice the replicas the value per replica is "
    "halved, and the workload stays too small. avg(...) is reported around any metric, max, min and quantile around "
    "GPU metrics only.",
    sources=(
        "https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale/",
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/pkg/scalers/prometheus_scaler.go",
    ),
    check=_check,
    bad=BAD,
    good=GOOD,
    variants=(BAD_MAX, BAD_OF_AMD),
)

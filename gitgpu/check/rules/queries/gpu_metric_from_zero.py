"""A GPU metric cannot wake a workload that has no pods."""

from collections.abc import Iterator

from gitgpu.check.names import join_names
from gitgpu.check.rule import Finding, Rule
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs

BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: prod-swc}
spec:
  region: swedencentral
  kubernetesVersion: "1.34"
  stack: {metrics: {scrape: prometheus-operator, server: "http://prometheus.monitoring:9090"}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuWorkload
metadata: {name: ranker, namespace: serving}
spec:
  pools: [t4]
  target: {kind: Deployment, name: ranker}
  scaling: {metric: gpu-utilization, target: 70, min: 0, max: 8}
"""
GOOD = BAD.replace(
    "{metric: gpu-utilization, target: 70, min: 0, max: 8}",
    "{metric: query, query: sum(gateway_requests_waiting), target: 5, min: 0, max: 8}",
)


def check(inputs: Inputs) -> Iterator[Finding]:
    """Workloads that scale to nothing on what only their own pods report; Jobs have a rule of their own."""
    for workload in inputs.workloads:
        scaling = workload.scaling
        own = [one.metric for one in scaling.signals if inputs.catalog.facts("metrics", one.metric)] if scaling else []
        if scaling and workload.job is None and scaling.lowest == 0 and len(own) == len(scaling.signals):
            key = "min" if scaling.idle is None else "idle"
            message = f"without a pod there is no {join_names(own)}, so from {key}: 0 the workload never comes back"
            instead = "write min: 1" if key == "min" else "remove idle"
            remedy = f"{instead}, or scale on something that lasts, such as the length of a queue"
            yield Finding(workload.origin, ("spec", "scaling", key), message, remedy)


RULE = Rule(
    code="SCL001",
    name="gpu-metric-from-zero",
    severity=Severity.ERROR,
    summary="A workload scales to zero on a metric that only its own pods produce.",
    help="DCGM reports a GPU under the name of the pod that uses it. With the last pod the series ends, KEDA reads an "
    "empty answer as 0, and nothing is left that could rise above the target.",
    sources=(
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/pkg/scalers/prometheus_scaler.go",
        "https://learn.microsoft.com/azure/aks/autoscale-gpu-workloads-with-keda",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)

"""A percentage must be able to rise above its target by a tenth."""

from collections.abc import Iterator

from gitgpu.check.rule import Finding, Rule
from gitgpu.check.scaled_workloads import gpu_signals
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs

TOLERANCE = 1.1  # the ratio up to which a HorizontalPodAutoscaler leaves things as they are
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
  scaling: {metric: gpu-utilization, target: 95, max: 8}
"""
GOOD = BAD.replace("95", "80")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Workloads that never get a second replica."""
    for workload, signal, row in gpu_signals(inputs):
        if row["unit"] == "percent" and 100 / TOLERANCE <= signal.target <= 100:
            needed = f"{signal.metric} would have to pass {signal.target * TOLERANCE:g}"
            message = f"with a target of {signal.target:g} nothing ever scales up: {needed}"
            remedy = "write a target of at most 90, such as target: 70"
            yield Finding(workload.origin, (*signal.place, "target"), message, remedy)


RULE = Rule(
    code="SCL014",
    name="target-never-exceeded",
    severity=Severity.ERROR,
    summary="The target of a metric in percent is so high that nothing ever scales up.",
    help="A HorizontalPodAutoscaler does nothing while the metric is within a tenth of its target. A percentage ends "
    "at 100, so with a target above 90 the workload stays at its fewest replicas.",
    sources=("https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale/",),
    check=check,
    bad=BAD,
    good=GOOD,
)

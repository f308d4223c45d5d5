"""A metric in percent never exceeds a hundred."""

from collections.abc import Iterator

from gitgpu.check.rule import Finding, Rule
from gitgpu.check.scaled_workloads import gpu_signals
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
  scaling: {metric: gpu-memory, target: 8000, max: 8}
"""
GOOD = BAD.replace("8000", "80")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Workloads with a target that their metric cannot reach."""
    for workload, signal, row in gpu_signals(inputs):
        if row["unit"] == "percent" and signal.target > 100:
            message = f"{signal.metric} is in percent and never reaches {signal.target:g}"
            remedy = "write a target of at most 100, such as target: 70"
            yield Finding(workload.origin, (*signal.place, "target"), message, remedy)


RULE = Rule(
    code="SCL011",
    name="percentage-above-hundred",
    severity=Severity.ERROR,
    summary="The target of a metric in percent is above 100.",
    help="The number of replicas follows the metric divided by the target. A percentage that is held against more than "
    "100 never asks for another replica.",
    sources=(
        "https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale/",
        "https://github.com/NVIDIA/dcgm-exporter/blob/d5e5f510a1b6b393f39a43293ccd9dc985defc79/etc/default-counters.csv",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)

"""A fallback is a number of replicas that there may be."""

from collections.abc import Iterator

from gitgpu.check.rule import Finding, Rule
from gitgpu.check.scaled_workloads import scaled_workloads
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs

SIDES = {True: "more", False: "fewer"}
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
metadata: {name: render, namespace: serving}
spec:
  pools: [t4]
  target: {kind: Deployment, name: render}
  scaling: {target: 70, max: 8, fallback: {replicas: 10}}
"""
GOOD = BAD.replace("replicas: 10", "replicas: 4")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Workloads whose fallback is more than their most, or fewer than their fewest."""
    for workload, scaling, _ in scaled_workloads(inputs):
        fallback = scaling.fallback
        if fallback and not scaling.min <= fallback.replicas <= scaling.max:
            bound = scaling.max if fallback.replicas > scaling.max else scaling.min
            message = f"the fallback is {fallback.replicas} replicas, and there are never {SIDES[bound == scaling.max]}"
            place = ("spec", "scaling", "fallback", "replicas")
            yield Finding(workload.origin, place, f"{message} than {bound}", f"write replicas: {bound}")


RULE = Rule(
    code="SCL064",
    name="fallback-out-of-bounds",
    severity=Severity.WARNING,
    summary="A fallback has more replicas than max, or fewer than min.",
    help="KEDA hands the fallback to the HorizontalPodAutoscaler as a metric, and that keeps between min and max.",
    sources=(
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/pkg/fallback/fallback.go",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)

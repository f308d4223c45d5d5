"""A cooldown is for the way to zero."""

from collections.abc import Iterator

from gitgpu.check.rule import Finding, Rule
from gitgpu.check.scaled_workloads import can_scale_from_zero
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs

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
  scaling: {target: 70, min: 1, max: 8, cooldown: 15m}
"""
GOOD = BAD.replace(", cooldown: 15m", "")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Workloads with a cooldown that never go to zero."""
    for workload in inputs.workloads:
        by_keda = workload.scaling and workload.scaling.engine == "keda"
        if by_keda and workload.scaling and workload.scaling.cooldown and workload.scaling.lowest > 0:
            message = (
                f"cooldown has no effect with min: {workload.scaling.min}: it is the wait before the last replica goes"
            )
            remedy = "remove cooldown" + (", or write min: 0" if can_scale_from_zero(inputs, workload.scaling) else "")
            yield Finding(workload.origin, ("spec", "scaling", "cooldown"), message, remedy)


RULE = Rule(
    code="SCL013",
    name="cooldown-without-zero",
    severity=Severity.WARNING,
    summary="A workload has a cooldown and never scales to zero.",
    help="KEDA itself only takes the last replica away, after the cooldown. Above that the HorizontalPodAutoscaler "
    "scales, with a time of its own, and takes no notice of it.",
    sources=(
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/pkg/scaling/executor/scale_scaledobjects.go",
        "https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale/",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)

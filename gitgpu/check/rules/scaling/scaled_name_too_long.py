"""A scaled workload's name leaves room for the name of its HorizontalPodAutoscaler."""

from collections.abc import Iterator

from gitgpu.check.rule import Finding, Rule
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs

PREFIX = "keda-hpa-"
LONGEST = 63 - len(PREFIX)
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
metadata:
  name: ranker-for-the-recommendations-on-the-front-page-of-the-shop
  namespace: serving
spec:
  pools: [t4]
  target: {kind: Deployment, name: ranker}
  scaling: {target: 70, max: 8}
"""
GOOD = BAD.replace("-for-the-recommendations-on-the-front-page-of-the-shop", "-front-page")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Workloads whose name makes the HorizontalPodAutoscaler's too long."""
    for workload in inputs.workloads:
        length = len(workload.name)
        if workload.scaling and workload.scaling.engine == "keda" and workload.job is None and length > LONGEST:
            message = f"the name has {length} characters, and {length + len(PREFIX)} with '{PREFIX}': 63 are allowed"
            remedy = f"choose a name of at most {LONGEST} characters for the GpuWorkload; the target keeps its own"
            yield Finding(workload.origin, ("metadata", "name"), message, remedy)


RULE = Rule(
    code="SCL007",
    name="scaled-name-too-long",
    severity=Severity.ERROR,
    summary="The name of a scaled workload is too long for the HorizontalPodAutoscaler that KEDA derives from it.",
    help="The ScaledObject is named like the workload. KEDA puts keda-hpa- before that name for its "
    "HorizontalPodAutoscaler and refuses the ScaledObject when the result has more than 63 characters.",
    sources=(
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/apis/keda/v1alpha1/scaledobject_webhook.go",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)

"""An idleReplicaCount other than 0."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.autoscalers import scaled_objects
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for item in scaled_objects(objects):
        spec = item.body["spec"]
        idle, minimum = spec.get("idleReplicaCount") or 0, spec.get("minReplicaCount") or 0
        if 0 < idle < minimum:  # KED004 reports any other idle count above zero
            message = f"idleReplicaCount {idle} does not last: KEDA's HPA brings the workload back to {minimum}"
            remedy = f"set idleReplicaCount: 0, or remove it and set minReplicaCount: {idle}"
            yield Finding(item, ("spec", "idleReplicaCount"), message, remedy)


RULE = Rule(
    code="KED041",
    name="idle-replicas-above-zero",
    severity=Severity.WARNING,
    summary="A ScaledObject has an idleReplicaCount that is not 0.",
    help="The HorizontalPodAutoscaler is inactive only at zero replicas. Above zero it scales up to minReplicaCount, "
    "KEDA scales down again, and pods keep starting and stopping.",
    sources=(
        "https://github.com/kedacore/keda/issues/2314",
        "https://github.com/kedacore/keda/issues/8172",
    ),
    check=_check,
)

"""Replica bounds that contradict each other."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.software.autoscaling import DEFAULT_MAX_REPLICAS
from gitgpu.objects.objects import Item, Objects
from gitgpu.objects.workload.autoscalers import autoscalers, scaled_objects
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for item in scaled_objects(objects):
        yield from _crossed_bounds(item, "minReplicaCount", "maxReplicaCount", DEFAULT_MAX_REPLICAS)
        yield from _idle_faults(item)
    for item in autoscalers(objects):
        yield from _crossed_bounds(item, "minReplicas", "maxReplicas", 1)


def _crossed_bounds(item: Item, low: str, high: str, default: int) -> Iterator[Finding]:
    spec = item.body["spec"]
    minimum, maximum = spec.get(low) or 0, spec.get(high)
    if minimum > (default if maximum is None else maximum):
        bound = f"{high} {maximum}" if maximum is not None else f"the default {high}, {default}"
        yield Finding(item, ("spec", low), f"{low} {minimum} is greater than {bound}", f"lower {low}, or raise {high}")


def _idle_faults(item: Item) -> Iterator[Finding]:
    spec = item.body["spec"]
    idle, minimum = spec.get("idleReplicaCount"), spec.get("minReplicaCount")
    if idle is None:
        return
    if minimum is None:
        message, remedy = "idleReplicaCount needs minReplicaCount", "add minReplicaCount: 1 or more"
        yield Finding(item, ("spec", "idleReplicaCount"), message, remedy)
    elif idle >= max(minimum, 1):  # KEDA compares it with the minimum of its HPA, which is at least 1
        message = f"idleReplicaCount {idle} is not below minReplicaCount {minimum}"
        yield Finding(item, ("spec", "idleReplicaCount"), message, "set idleReplicaCount: 0, or raise minReplicaCount")


RULE = Rule(
    code="KED004",
    name="conflicting-replica-bounds",
    twin="SCL002",
    severity=Severity.ERROR,
    rejects=True,
    summary="The minimum replicas of a scaler are above the maximum, or idleReplicaCount is not below minReplicaCount.",
    help="The API server or KEDA's admission webhook rejects the object. The default of maxReplicaCount is 100.",
    sources=(
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/apis/keda/v1alpha1/scaledobject_types.go",
        "https://github.com/kubernetes/kubernetes/blob/v1.34.0/pkg/apis/autoscaling/validation/validation.go",
    ),
    check=_check,
)

"""A pollingInterval that does not decide how often metrics are read."""

from collections.abc import Iterator

from gitgpu.access import list_at, reach
from gitgpu.diagnostic import Severity
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.autoscalers import scaled_objects
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for item in scaled_objects(objects):
        spec = item.body["spec"]
        # KEDA polls at this interval for the values that it caches, and to scale up from the idle count.
        cached = any(reach(trigger, "useCachedMetrics") is True for trigger in list_at(spec, "triggers"))
        by_formula = reach(spec, "advanced", "scalingModifiers", "formula")
        minimum = spec.get("minReplicaCount") or 0
        if minimum and spec.get("pollingInterval") is not None and not (cached or by_formula or _sleeps(spec)):
            message = f"pollingInterval is ignored: minReplicaCount is {minimum}, and the HPA reads metrics by itself"
            remedy = "remove it, or set useCachedMetrics: true on the triggers"
            yield Finding(item, ("spec", "pollingInterval"), message, remedy)


def _sleeps(spec: object) -> bool:
    return reach(spec, "idleReplicaCount") is not None


RULE = Rule(
    code="KED040",
    name="polling-interval-ignored",
    twin="SCL080",
    severity=Severity.INFO,
    summary="A ScaledObject that keeps at least one replica has a pollingInterval.",
    help="pollingInterval is how often KEDA checks whether to scale a workload up from zero. Above zero, the "
    "HorizontalPodAutoscaler reads the metrics, every 15s by default. With useCachedMetrics it gets the values that "
    "KEDA has polled. KEDA's admission webhook also warns about it.",
    sources=(
        "https://github.com/kedacore/keda/issues/6168",
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/apis/keda/v1alpha1/scaledobject_webhook.go",
    ),
    check=_check,
)

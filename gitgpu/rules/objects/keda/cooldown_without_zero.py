"""A cooldownPeriod that is ignored."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.autoscalers import scaled_objects
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for item in scaled_objects(objects):
        spec = item.body["spec"]
        minimum = spec.get("minReplicaCount") or 0  # KEDA's default
        if minimum and spec.get("idleReplicaCount") is None and spec.get("cooldownPeriod") is not None:
            message = f"cooldownPeriod is ignored: minReplicaCount is {minimum}, so the workload never scales to zero"
            remedy = "set the scale-down delay in spec.advanced.horizontalPodAutoscalerConfig.behavior instead"
            yield Finding(item, ("spec", "cooldownPeriod"), message, remedy)


RULE = Rule(
    code="KED028",
    name="cooldown-without-zero",
    twin="SCL013",
    severity=Severity.INFO,
    summary="A ScaledObject that keeps at least one replica has a cooldownPeriod.",
    help="cooldownPeriod is how long KEDA waits before it scales to zero. Between other replica counts the "
    "HorizontalPodAutoscaler decides, with its own behavior. KEDA's admission webhook also warns about it.",
    sources=(
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/apis/keda/v1alpha1/scaledobject_webhook.go",
        "https://keda.sh/docs/2.18/reference/scaledobject-spec/",
    ),
    check=_check,
)

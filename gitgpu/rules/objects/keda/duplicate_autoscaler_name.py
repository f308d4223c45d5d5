"""Two ScaledObjects with the same HorizontalPodAutoscaler name."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.objects.objects import Item, Objects
from gitgpu.objects.workload.autoscalers import HPA_NAME, hpa_name, scaled_objects
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    first: dict[tuple[str, str], Item] = {}
    for item in scaled_objects(objects):
        other = first.setdefault((item.identity.namespace, hpa_name(item)), item)
        if other.identity != item.identity:  # CNF008 reports a repeated object
            place = HPA_NAME if reach(item.body, *HPA_NAME) else ("metadata", "name")
            message = (
                f"its HorizontalPodAutoscaler '{hpa_name(item)}' also belongs to ScaledObject '{other.identity.name}'"
            )
            remedy = "give each ScaledObject a unique spec.advanced.horizontalPodAutoscalerConfig.name, or none"
            yield Finding(item, place, message, remedy)


RULE = Rule(
    code="KED002",
    name="duplicate-autoscaler-name",
    severity=Severity.ERROR,
    rejects=True,
    summary="Two ScaledObjects in a namespace give their HorizontalPodAutoscalers the same name.",
    help="KEDA creates one HorizontalPodAutoscaler for each ScaledObject. KEDA's admission webhook rejects the "
    "second one with the same name.",
    sources=(
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/apis/keda/v1alpha1/scaledobject_webhook.go",
    ),
    check=_check,
)

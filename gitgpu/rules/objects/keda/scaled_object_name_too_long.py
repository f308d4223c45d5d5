"""A ScaledObject with a name that is too long for its HorizontalPodAutoscaler."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.software.autoscaling import MAX_NAME
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.autoscalers import HPA_NAME, hpa_name, scaled_objects
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for item in scaled_objects(objects):
        own, hpa = item.identity.name, hpa_name(item)
        name = reach(item.body, *HPA_NAME)
        if len(own) > MAX_NAME:
            message = f"the name has {len(own)} characters, but its label allows at most {MAX_NAME}"
            yield Finding(item, ("metadata", "name"), message, f"use at most {MAX_NAME} characters")
        elif len(hpa) > MAX_NAME:
            place = HPA_NAME if name else ("metadata", "name")
            message = (
                f"the name of its HorizontalPodAutoscaler, {hpa}, has {len(hpa)} characters; {MAX_NAME} are allowed"
            )
            room = MAX_NAME if name else MAX_NAME - len(hpa) + len(own)
            remedy = f"use at most {room} characters"
            name_it = ", or set a shorter spec.advanced.horizontalPodAutoscalerConfig.name"
            yield Finding(item, place, message, remedy if name else remedy + name_it)


RULE = Rule(
    code="KED003",
    name="scaled-object-name-too-long",
    twin="SCL007",
    severity=Severity.ERROR,
    rejects=True,
    summary="The name of a ScaledObject, or of the HorizontalPodAutoscaler that KEDA creates for it, is too long.",
    help="KEDA uses the name as a label value and, with the prefix keda-hpa-, as the name of a "
    "HorizontalPodAutoscaler. Both allow 63 characters, so 54 remain unless the HorizontalPodAutoscaler has "
    "its own name. KEDA's admission webhook rejects longer names; without the webhook, KEDA cannot create the "
    "HorizontalPodAutoscaler.",
    sources=(
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/apis/keda/v1alpha1/scaledobject_webhook.go",
    ),
    check=_check,
)

"""An InferenceSet that is scaled by an annotation and by a scaler."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import INFERENCE_SET
from gitgpu.objects.objects import Item, Objects
from gitgpu.objects.workload.autoscalers import Target, autoscalers, scaled_objects, target
from gitgpu.objects.workload.kaito_models import models
from gitgpu.rules.object_rule import Finding, Rule

_ANNOTATION = "scaledobject.kaito.sh/auto-provision"
_MANAGED_BY = "scaledobject.kaito.sh/managed-by"  # on what keda-kaito-scaler creates for the annotation itself


def _check(objects: Objects) -> Iterator[Finding]:
    scaled: dict[tuple[Target, str], Item] = {}
    for item in (*scaled_objects(objects), *autoscalers(objects)):
        if _MANAGED_BY not in (reach(item.body, "metadata", "annotations") or {}):
            scaled[target(item), objects.application_key(item)] = item
    for model in models(objects, INFERENCE_SET.kind):
        name = model.item.identity
        own = Target(*INFERENCE_SET, name.namespace, name.name)
        other = scaled.get((own, objects.application_key(model.item)))
        if other and reach(model.item.body, "metadata", "annotations", _ANNOTATION) == "true":
            message = f"the annotation creates a second scaler: {other.identity.kind} '{other.identity.name}' exists"
            remedy = "remove the annotation, or the other scaler"
            yield Finding(model.item, ("metadata", "annotations", _ANNOTATION), message, remedy)


RULE = Rule(
    code="KAI012",
    name="inference-set-with-two-scalers",
    severity=Severity.ERROR,
    summary="An InferenceSet has the annotation that creates a ScaledObject, but another scaler already exists.",
    help="keda-kaito-scaler creates a ScaledObject for the annotation even if another scaler exists, and KEDA "
    "rejects one of them.",
    sources=(
        "https://github.com/kaito-project/keda-kaito-scaler/blob/3ce909d4c4250ff30fb4850d0c238e74fd42998d/pkg/controllers/autoprovision/auto_provision_controller.go",
        "https://github.com/kaito-project/kaito/blob/056b8280b1a8debf644bc6f4399e913a1f9c7e70/website/docs/keda-autoscaler-inference.md",
    ),
    check=_check,
)

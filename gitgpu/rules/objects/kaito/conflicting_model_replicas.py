"""Annotations that enable autoscaling of an InferenceSet but leave no range."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import INFERENCE_SET
from gitgpu.model.names.prefixes import KAITO_SCALER_PREFIX
from gitgpu.model.syntax.templates import is_template
from gitgpu.model.syntax.whole_number import whole_number
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.kaito_models import Model, models
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer

_PLACE: Pointer = ("metadata", "annotations")


def _check(objects: Objects) -> Iterator[Finding]:
    for model in models(objects, INFERENCE_SET.kind):
        annotations = reach(model.item.body, *_PLACE) or {}
        if annotations.get(f"{KAITO_SCALER_PREFIX}auto-provision") == "true":
            yield from _limit_faults(model, annotations)


def _limit_faults(model: Model, annotations: Mapping[str, Any]) -> Iterator[Finding]:
    key = f"{KAITO_SCALER_PREFIX}max-replicas"
    maximum, minimum = annotations.get(key), annotations.get(f"{KAITO_SCALER_PREFIX}min-replicas")
    # keda-kaito-scaler divides nodeCountLimit by the number of nodes of one replica.
    if maximum is None:
        if not reach(model.item.body, "spec", "nodeCountLimit"):
            message = "autoscaling is enabled, but neither max-replicas nor spec.nodeCountLimit is set"
            remedy = f'add the annotation {key}: "4", or set spec.nodeCountLimit'
            yield Finding(model.item, (*_PLACE, f"{KAITO_SCALER_PREFIX}auto-provision"), message, remedy)
        return
    if is_template(maximum):  # filled in later
        return
    most, fewest = whole_number(maximum), whole_number(minimum or "")
    if most is None or most <= 1:
        message = f"max-replicas '{maximum}' is not a number greater than 1"
        yield Finding(model.item, (*_PLACE, key), message, 'use a number such as "4"')
    elif fewest is not None and fewest > most:
        message = f"min-replicas {minimum} is greater than max-replicas {maximum}"
        yield Finding(
            model.item,
            (*_PLACE, f"{KAITO_SCALER_PREFIX}min-replicas"),
            message,
            "lower min-replicas, or raise max-replicas",
        )


RULE = Rule(
    code="KAI013",
    name="conflicting-model-replicas",
    twin="KTO017",
    severity=Severity.WARNING,
    summary="An InferenceSet enables autoscaling with keda-kaito-scaler but allows at most one replica.",
    help="keda-kaito-scaler creates a ScaledObject only if max-replicas is greater than 1 or nodeCountLimit is set. "
    "Otherwise it does nothing and reports nothing.",
    sources=(
        "https://github.com/kaito-project/keda-kaito-scaler/blob/3ce909d4c4250ff30fb4850d0c238e74fd42998d/pkg/controllers/autoprovision/auto_provision_controller.go",
        "https://github.com/kaito-project/keda-kaito-scaler/blob/3ce909d4c4250ff30fb4850d0c238e74fd42998d/README.md",
    ),
    check=_check,
)

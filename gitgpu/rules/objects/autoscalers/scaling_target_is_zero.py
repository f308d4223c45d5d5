"""A scaler with a target of zero."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.access import mapping_at, reach
from gitgpu.diagnostic import Severity
from gitgpu.model.syntax.quantity import quantity
from gitgpu.model.syntax.templates import is_template
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.autoscalers import Trigger, autoscalers, triggers
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer

_MIN_TARGET = 0.0005  # smaller targets become zero: KEDA keeps three decimals
_OF_METRIC = ("resource", "containerResource", "pods", "object", "external")
_REMEDY = 'set it to what one replica can handle, such as "1"'
_AMOUNTS = ("averageValue", "value")


def _check(objects: Objects) -> Iterator[Finding]:
    keys = objects.catalog.must("triggers", "keda")
    for trigger in triggers(objects):
        # With a formula, only its own target counts (scalingModifiers.target).
        formula = reach(trigger.item.body, "spec", "advanced", "scalingModifiers", "formula")
        key = "value" if trigger.type in keys["resources"] else keys["targets"].get(trigger.type, "")
        if not formula and _is_zero(trigger, key):
            message = f"{key} must be greater than 0; found '{trigger.metadata[key]}'"
            remedy = _REMEDY if trigger.type in keys["resources"] else f"{_REMEDY}; {_activation(key)}"
            yield Finding(trigger.item, trigger.place(key), message, remedy)
    for item in autoscalers(objects):
        for index, metric in enumerate(reach(item.body, "spec", "metrics") or ()):
            for path, written in _amounts(mapping_at(metric)):
                message = f"{path[-1]} must be greater than 0; found {written}"
                yield Finding(item, ("spec", "metrics", index, *path), message, "set it to what one pod can handle")


def _is_zero(trigger: Trigger, key: str) -> bool:
    written = trigger.metadata.get(key) or ""
    if is_template(written):
        return False
    try:
        return float(written) < _MIN_TARGET
    except ValueError:  # KED015 reports it
        return False


def _activation(key: str) -> str:
    return f'activation{key[:1].upper()}{key[1:]} sets when the workload scales from zero, and can be "0"'


def _amounts(metric: Mapping[str, Any]) -> Iterator[tuple[Pointer, object]]:
    for kind in _OF_METRIC:
        target = mapping_at(metric, kind, "target")
        for key in _AMOUNTS:
            if target.get(key) is not None and _not_positive(target[key]):
                yield (kind, "target", key), target[key]
        share = target.get("averageUtilization")
        if isinstance(share, int) and share < 1:
            yield (kind, "target", "averageUtilization"), share


def _not_positive(written: object) -> bool:
    try:
        return quantity(written) <= 0
    except ValueError:
        return False  # NAM010 reports it


RULE = Rule(
    code="KED031",
    name="scaling-target-is-zero",
    severity=Severity.ERROR,
    rejects=True,
    summary="A trigger or a metric of a HorizontalPodAutoscaler has a target of zero.",
    help="The target is what one replica can handle, and the value is divided by it. The API server rejects a "
    "HorizontalPodAutoscaler with a target that is not greater than 0, so KEDA cannot create one for a ScaledObject. "
    "For a ScaledJob, KEDA creates no Jobs. To scale from zero on the first message, use the activation value.",
    sources=(
        "https://github.com/grafana/mimir/issues/7473",
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/pkg/scalers/scaler.go",
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/pkg/scaling/scaledjob/metrics.go",
        "https://github.com/kedacore/keda/issues/5857",
        "https://github.com/kserve/kserve/issues/4764",
        "https://github.com/kubernetes/kubernetes/blob/v1.34.0/pkg/apis/autoscaling/validation/validation.go",
    ),
    facts=("triggers/keda",),
    check=_check,
)

"""A scaler that is to hold a value of zero."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.conform.objects import Objects, mapping, reach
from gitgpu.conform.rule import Finding, Rule
from gitgpu.conform.workload.autoscalers import Trigger, autoscalers, triggers
from gitgpu.diagnostic import Severity
from gitgpu.model.quantity import quantity
from gitgpu.model.templates import is_template
from gitgpu.source import Pointer

_LEAST = 0.0005  # KEDA keeps three decimals
_OF_METRIC = ("resource", "containerResource", "pods", "object", "external")
_BEARABLE = 'write what one replica can bear, such as "1"'
_AMOUNTS = ("averageValue", "value")


def _check(objects: Objects) -> Iterator[Finding]:
    keys = objects.catalog.must("triggers", "keda")
    for one in triggers(objects):
        formula = reach(one.item.body, "spec", "advanced", "scalingModifiers", "formula")
        key = "value" if one.type in keys["resources"] else keys["targets"].get(one.type, "")
        if not formula and _is_nothing(one, key):
            message = f"{key} '{one.metadata[key]}' is no value that a replica can bear"
            remedy = _BEARABLE if one.type in keys["resources"] else f"{_BEARABLE}; {_awake(key)}"
            yield Finding(one.item, one.place(key), message, remedy)
    for item in autoscalers(objects):
        for at, metric in enumerate(reach(item.body, "spec", "metrics") or ()):
            for path, written in _amounts(mapping(metric)):
                message = f"{path[-1]} {written} is not above 0"
                yield Finding(item, ("spec", "metrics", at, *path), message, "write what one pod can bear")


def _is_nothing(one: Trigger, key: str) -> bool:
    written = one.metadata.get(key) or ""
    if is_template(written):
        return False
    try:
        return float(written) < _LEAST
    except ValueError:  # another rule says so
        return False


def _awake(key: str) -> str:
    return f'activation{key[:1].upper()}{key[1:]} alone decides when the workload wakes, and may be "0"'


def _amounts(metric: Mapping[str, Any]) -> Iterator[tuple[Pointer, object]]:
    for kind in _OF_METRIC:
        target = mapping(mapping(metric.get(kind)).get("target"))
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
        return False


RULE = Rule(
    code="KED031",
    name="target-of-zero",
    severity=Severity.ERROR,
    summary="A trigger or a metric of a HorizontalPodAutoscaler has a target of zero.",
    help="The target is what one replica can bear, and the value is divided by it. The API server refuses a "
    "HorizontalPodAutoscaler whose target is not above 0, so that of a ScaledObject is never made; for a ScaledJob "
    "KEDA then makes no Job. To wake at the first message is what the activation value is for.",
    sources=(
        "https://github.com/grafana/mimir/issues/7473",
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/pkg/scalers/scaler.go",
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/pkg/scaling/scaledjob/metrics.go",
        "https://github.com/kedacore/keda/issues/5857",
        "https://github.com/kserve/kserve/issues/4764",
        "https://github.com/kubernetes/kubernetes/blob/v1.34.0/pkg/apis/autoscaling/validation/validation.go",
    ),
    check=_check,
    bad="""
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {name: chat, namespace: serving}
spec:
  scaleTargetRef: {name: chat}
  triggers:
  - type: azure-servicebus
    metadata: {namespace: contoso-prompts, queueName: chat, messageCount: "0"}
""",
    good="""
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {name: chat, namespace: serving}
spec:
  scaleTargetRef: {name: chat}
  triggers:
  - type: azure-servicebus
    metadata: {namespace: contoso-prompts, queueName: chat, messageCount: "1", activationMessageCount: "0"}
""",
)

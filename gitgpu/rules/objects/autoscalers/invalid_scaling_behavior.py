"""A scaling behavior that the API server rejects."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import SCALED_OBJECT
from gitgpu.model.software.autoscaling import MAX_STABILIZATION_WINDOW
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.autoscalers import autoscalers, scaled_objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer

_PERIOD = 1800  # seconds, the maximum of periodSeconds
_POLICIES, _CHOICES = ("Pods", "Percent"), ("Max", "Min", "Disabled")
_PLACES: Mapping[str, Pointer] = {
    SCALED_OBJECT.kind: ("spec", "advanced", "horizontalPodAutoscalerConfig", "behavior"),
    "HorizontalPodAutoscaler": ("spec", "behavior"),
}


def _check(objects: Objects) -> Iterator[Finding]:
    for item in (*scaled_objects(objects), *autoscalers(objects)):
        place = _PLACES[item.identity.kind]
        for direction in ("scaleUp", "scaleDown"):
            rules = reach(item.body, *place, direction) or {}
            for path, message, remedy in _faults(rules):
                yield Finding(item, (*place, direction, *path), message, remedy)


def _faults(rules: Mapping[str, Any]) -> Iterator[tuple[Pointer, str, str]]:
    window, choice = rules.get("stabilizationWindowSeconds"), rules.get("selectPolicy")
    if window is not None and not 0 <= window <= MAX_STABILIZATION_WINDOW:
        message = f"stabilizationWindowSeconds {window} is not between 0 and {MAX_STABILIZATION_WINDOW}"
        yield ("stabilizationWindowSeconds",), message, f"use at most {MAX_STABILIZATION_WINDOW}"
    if choice and choice not in _CHOICES:
        yield ("selectPolicy",), f"unknown selectPolicy '{choice}'", f"use one of {', '.join(_CHOICES)}"
    if rules.get("policies") == []:
        yield ("policies",), "the list of policies is empty", "add a policy, or remove the list to use the default"
    for index, policy in enumerate(rules.get("policies") or ()):
        for key, message, remedy in _policy_faults(policy or {}):
            yield ("policies", index, key), message, remedy


def _policy_faults(policy: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    kind, value, period = policy.get("type"), policy.get("value"), policy.get("periodSeconds")
    if kind and kind not in _POLICIES:
        yield "type", f"unknown policy type '{kind}'", f"use {' or '.join(_POLICIES)}"
    if value is not None and value <= 0:
        remedy = "use a number greater than 0; to turn this direction off, replace policies with selectPolicy: Disabled"
        yield "value", f"the value of a policy must be greater than 0; found {value}", remedy
    if period is not None and not 0 < period <= _PERIOD:
        yield "periodSeconds", f"periodSeconds {period} is not between 1 and {_PERIOD}", f"use at most {_PERIOD}"


RULE = Rule(
    code="KED026",
    name="invalid-scaling-behavior",
    twin="SCL029",
    severity=Severity.ERROR,
    rejects=True,
    summary="The behavior of a HorizontalPodAutoscaler or ScaledObject has a window, period or policy out of range.",
    help="A window can be up to one hour and a period up to half an hour. The API server rejects an HPA with larger "
    "values. It accepts a ScaledObject with them, but KEDA then cannot create its HPA.",
    sources=(
        "https://github.com/kubernetes/kubernetes/blob/v1.34.0/pkg/apis/autoscaling/validation/validation.go",
        "https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale/",
    ),
    check=_check,
)

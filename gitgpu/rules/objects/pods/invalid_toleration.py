"""A toleration that the API server rejects."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.diagnostic import Change, Repair, Severity
from gitgpu.objects.objects import Objects
from gitgpu.objects.syntax import is_label_value, is_qualified_name
from gitgpu.objects.workload.pods import described_pods
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer

_EFFECTS = ("NoSchedule", "PreferNoSchedule", "NoExecute")
# Gt and Lt need the feature gate TaintTolerationComparisonOperators, which is alpha up to 1.36 and off.
_OPERATORS = ("Equal", "Exists")


def _check(objects: Objects) -> Iterator[Finding]:
    for pod in described_pods(objects):
        for index, toleration in enumerate(pod.tolerations):
            place: Pointer = (*pod.pointer, "tolerations", index)
            for part, message, remedy in _faults(toleration):
                yield Finding(pod.item, (*place, part) if part else place, message, remedy)
            for part, supported in (("operator", _OPERATORS), ("effect", _EFFECTS)):
                value = (toleration or {}).get(part)
                if value and value not in supported:
                    right = next((choice for choice in supported if choice.lower() == str(value).lower()), "")
                    repair = Repair(Change.VALUE, (*place, part), right) if right else None
                    remedy = f"use {right}" if right else f"use one of: {', '.join(supported)}"
                    message = f"unknown {part} '{value}' in a toleration"
                    yield Finding(pod.item, (*place, part), message, remedy, repair=repair)


def _faults(toleration: Mapping[str, Any] | None) -> Iterator[tuple[str, str, str]]:
    if toleration is None:
        return
    key, value = str(toleration.get("key") or ""), str(toleration.get("value") or "")
    exists = toleration.get("operator") == "Exists"
    if exists and value:
        remedy = "remove the value, or set operator: Equal"
        yield "value", f"operator Exists does not take a value; found '{value}'", remedy
    if not key and not exists:
        yield next(iter(toleration), ""), "a toleration without a key needs operator Exists", "add a key"
    if key and not is_qualified_name(key):
        yield "key", f"'{key}' is not a valid taint key", "copy the key of the taint from the NodePool"
    if not exists and not is_label_value(value):
        yield "value", f"'{value}' is not a valid taint value", "copy the value of the taint from the NodePool"
    if toleration.get("tolerationSeconds") is not None and toleration.get("effect") != "NoExecute":
        message = "tolerationSeconds is valid only with effect NoExecute"
        yield "tolerationSeconds", message, "remove it: other effects do not evict pods"


RULE = Rule(
    code="POD010",
    name="invalid-toleration",
    severity=Severity.ERROR,
    rejects=True,
    summary="A toleration has fields that contradict each other.",
    help="The API server rejects the pod, and any workload whose template has such a toleration.",
    sources=(
        "https://kubernetes.io/docs/concepts/scheduling-eviction/taint-and-toleration/",
        "https://github.com/kubernetes/kubernetes/blob/v1.36.2/pkg/apis/core/validation/validation.go",
        "https://github.com/kubernetes/kubernetes/blob/v1.36.2/pkg/features/kube_features.go",
    ),
    check=_check,
    fixable=True,
)

"""A node affinity that the API server rejects."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.syntax.requirement import BOUNDS
from gitgpu.objects.objects import Objects
from gitgpu.objects.syntax import is_dns_subdomain, is_label_value, is_qualified_name
from gitgpu.objects.workload.label_selectors import KEY, VALUE
from gitgpu.objects.workload.pods import REQUIRED, described_pods
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer

_PREFERRED = (*REQUIRED[:2], "preferredDuringSchedulingIgnoredDuringExecution")
_COMPARISONS = ("Gt", "Lt")  # Karpenter has Gte and Lte too, which pods cannot use
_LISTS, _BARE = ("In", "NotIn"), ("Exists", "DoesNotExist")
_FIELD, _MOST = "metadata.name", 100  # the only field of matchFields, the highest weight
_KNOWN = (*_LISTS, *_BARE, *_COMPARISONS)


def _check(objects: Objects) -> Iterator[Finding]:
    for pod in described_pods(objects):
        if reach(pod.spec, *REQUIRED) == []:
            message = "nodeSelectorTerms is empty, but at least one term is required"
            yield Finding(pod.item, (*pod.pointer, *REQUIRED), message, "add a term, or remove the affinity")
        for index, preference in enumerate(reach(pod.spec, *_PREFERRED) or ()):
            weight = reach(preference, "weight") or 0
            if not 1 <= weight <= _MOST:
                message = f"weight must be between 1 and {_MOST}; found {weight}"
                place = (*pod.pointer, *_PREFERRED, index, "weight")
                yield Finding(pod.item, place, message, f"use a number between 1 and {_MOST}")
        for place, expression in _expressions(pod.pointer, pod.spec):
            for part, message, remedy in (
                _field_faults(expression) if "matchFields" in place else _label_faults(expression)
            ):
                yield Finding(pod.item, (*place, part) if part in expression else place, message, remedy)


def _expressions(pointer: Pointer, spec: Mapping[str, Any]) -> Iterator[tuple[Pointer, Mapping[str, Any]]]:
    for place, term in _terms(spec):
        for field in ("matchExpressions", "matchFields"):
            for index, expression in enumerate(reach(term, field) or ()):
                if expression:
                    yield (*pointer, *place, field, index), expression


def _terms(spec: Mapping[str, Any]) -> Iterator[tuple[Pointer, Any]]:
    """The terms of required and preferred node affinity; each may be null."""
    for index, term in enumerate(reach(spec, *REQUIRED) or ()):
        yield (*REQUIRED, index), term
    for index, preferred in enumerate(reach(spec, *_PREFERRED) or ()):
        yield (*_PREFERRED, index, "preference"), reach(preferred, "preference")


def _label_faults(expression: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    if not is_qualified_name(expression.get("key") or ""):
        yield "key", f"'{expression.get('key') or ''}' is not a valid label key", KEY
    values = expression.get("values") or []
    fault = _operator_fault(str(expression.get("operator") or ""), values)
    if fault:
        yield fault
    elif expression.get("operator") in _LISTS:
        for value in values:
            if not is_label_value(str(value)):
                yield "values", f"'{value}' is not a valid label value", VALUE


def _field_faults(expression: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    values = expression.get("values") or []
    if expression.get("key") != _FIELD:
        yield "key", f"matchFields supports only {_FIELD}", "move the label to matchExpressions"
    if expression.get("operator") not in _LISTS:
        yield (
            "operator",
            f"matchFields supports only the operators {' and '.join(_LISTS)}",
            f"use one of: {', '.join(_LISTS)}",
        )
    elif len(values) != 1 or not is_dns_subdomain(str(values[0])):
        yield "values", "matchFields needs exactly one node name", "use the name of one node"


def _operator_fault(operator: str, values: list[Any]) -> tuple[str, str, str] | None:
    if operator not in _KNOWN:
        return "operator", f"unknown operator '{operator}' in a node affinity", f"use one of: {', '.join(_KNOWN)}"
    if operator in _LISTS and not values:
        return "values", f"operator {operator} needs values", "add at least one value"
    if operator in _BARE and values:
        return "values", f"operator {operator} does not take values", "remove the values, or set operator: In"
    if operator in BOUNDS and (len(values) != 1 or not _is_whole(str(values[0]))):
        return "values", f"operator {operator} needs one whole number", "use one number, as a string"
    return None


def _is_whole(text: str) -> bool:
    return text.removeprefix("-").isdecimal() and text.isascii()


RULE = Rule(
    code="POD023",
    name="invalid-node-affinity",
    severity=Severity.ERROR,
    rejects=True,
    summary="A node affinity has no terms, a weight out of range, or an expression that is not valid.",
    help="The API server rejects the pod, and any workload whose template has such an affinity. It accepts a bound "
    "that is not a whole number, but then no node ever matches.",
    sources=(
        "https://kubernetes.io/docs/concepts/scheduling-eviction/assign-pod-node/#operators",
        "https://github.com/kubernetes/kubernetes/blob/v1.36.2/pkg/apis/core/validation/validation.go",
    ),
    check=_check,
)

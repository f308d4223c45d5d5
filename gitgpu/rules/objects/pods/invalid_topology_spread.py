"""A topology spread constraint that the API server rejects."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.diagnostic import Severity
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.label_selectors import key_faults, selector_faults
from gitgpu.objects.workload.pods import described_pods
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer

_KEEPING, _POLICIES = "DoNotSchedule", ("Honor", "Ignore")
_CHOICES = {
    "whenUnsatisfiable": (_KEEPING, "ScheduleAnyway"),
    "nodeAffinityPolicy": _POLICIES,
    "nodeTaintsPolicy": _POLICIES,
}


def _check(objects: Objects) -> Iterator[Finding]:
    for pod in described_pods(objects):
        seen: set[tuple[str, str]] = set()
        for index, written in enumerate(pod.spec.get("topologySpreadConstraints") or ()):
            constraint = written or {}
            place: Pointer = (*pod.pointer, "topologySpreadConstraints", index)
            for below, message, remedy in _faults(constraint):
                yield Finding(pod.item, (*place, *below), message, remedy)
            pair = str(constraint.get("topologyKey")), str(constraint.get("whenUnsatisfiable"))
            if pair in seen:
                message = f"duplicate constraint for {pair[0]} with whenUnsatisfiable: {pair[1]}"
                yield Finding(pod.item, place, message, "remove one of the two constraints")
            seen.add(pair)


def _faults(constraint: Mapping[str, Any]) -> Iterator[tuple[Pointer, str, str]]:
    for field in ("maxSkew", "minDomains"):
        number = constraint.get(field)
        if number is not None and number < 1:
            yield (field,), f"{field} must be at least 1; found {number}", "use 1 or more"
    if not constraint.get("topologyKey"):
        yield ("topologyKey",), "topologyKey is empty", "use the key of a node label"
    for field, values in _CHOICES.items():
        value = constraint.get(field)
        if value not in (None, *values):
            yield (field,), f"unknown value '{value}' for {field}", f"use one of: {', '.join(values)}"
    if constraint.get("minDomains") is not None and constraint.get("whenUnsatisfiable") == "ScheduleAnyway":
        yield ("minDomains",), f"minDomains needs whenUnsatisfiable: {_KEEPING}", "remove minDomains"
    yield from key_faults(constraint)
    for below, message, remedy in selector_faults(constraint.get("labelSelector")):
        yield ("labelSelector", *below), message, remedy


RULE = Rule(
    code="POD026",
    name="invalid-topology-spread",
    severity=Severity.ERROR,
    rejects=True,
    summary="A topology spread constraint has a value that is not valid, or is a duplicate.",
    help="The API server rejects the pod, and any workload whose template has such a constraint.",
    sources=(
        "https://github.com/kubernetes/kubernetes/blob/v1.36.2/pkg/apis/core/validation/validation.go",
        "https://kubernetes.io/docs/concepts/scheduling-eviction/topology-spread-constraints/#spread-constraint-definition",
    ),
    check=_check,
)

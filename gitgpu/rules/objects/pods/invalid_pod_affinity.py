"""A pod affinity that the API server rejects."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.objects.objects import Objects
from gitgpu.objects.syntax import is_dns_label, is_qualified_name
from gitgpu.objects.workload.label_selectors import KEY, key_faults, selector_faults
from gitgpu.objects.workload.pods import Pod, described_pods
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer

_REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
_PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution"
_MAX_WEIGHT = 100  # weights are added to the scores of the scheduler's other plugins, which have the same range


def _check(objects: Objects) -> Iterator[Finding]:
    for pod in described_pods(objects):
        for place, weight in _weights(pod):
            if not 1 <= weight <= _MAX_WEIGHT:
                message = f"weight must be between 1 and {_MAX_WEIGHT}; found {weight}"
                yield Finding(pod.item, place, message, f"use a number between 1 and {_MAX_WEIGHT}")
        for place, term in _terms(pod):
            for below, message, remedy in _faults(term):
                yield Finding(pod.item, (*place, *below), message, remedy)


def _weights(pod: Pod) -> Iterator[tuple[Pointer, int]]:
    for kind in ("podAffinity", "podAntiAffinity"):
        path: Pointer = ("affinity", kind, _PREFERRED)
        for index, preference in enumerate(reach(pod.spec, *path) or ()):
            yield (*pod.pointer, *path, index, "weight"), reach(preference, "weight") or 0


def _terms(pod: Pod) -> Iterator[tuple[Pointer, Mapping[str, Any]]]:
    for kind in ("podAffinity", "podAntiAffinity"):
        for mode, inside in ((_REQUIRED, ()), (_PREFERRED, ("podAffinityTerm",))):
            path: Pointer = ("affinity", kind, mode)
            for index, written in enumerate(reach(pod.spec, *path) or ()):
                yield (*pod.pointer, *path, index, *inside), reach(written, *inside) or {}


def _faults(term: Mapping[str, Any]) -> Iterator[tuple[Pointer, str, str]]:
    key = term.get("topologyKey") or ""
    if not key:
        yield ("topologyKey",), "topologyKey is empty", "use the key of a node label"
    elif not is_qualified_name(key):
        yield ("topologyKey",), f"'{key}' is not a valid label key", KEY
    for index, name in enumerate(term.get("namespaces") or ()):
        if not is_dns_label(name or ""):
            yield ("namespaces", index), f"'{name or ''}' is not a valid namespace name", "use the name of a namespace"
    yield from key_faults(term)
    for field in ("labelSelector", "namespaceSelector"):
        for below, message, remedy in selector_faults(term.get(field)):
            yield (field, *below), message, remedy


RULE = Rule(
    code="POD027",
    name="invalid-pod-affinity",
    severity=Severity.ERROR,
    rejects=True,
    summary="A pod affinity or anti-affinity has an invalid topologyKey, weight, selector or namespace.",
    help="The API server rejects the pod, and any workload whose template has such an affinity.",
    sources=(
        "https://github.com/kubernetes/kubernetes/blob/v1.36.2/pkg/apis/core/validation/validation.go",
        "https://kubernetes.io/docs/concepts/scheduling-eviction/assign-pod-node/#inter-pod-affinity-and-anti-affinity",
    ),
    check=_check,
)

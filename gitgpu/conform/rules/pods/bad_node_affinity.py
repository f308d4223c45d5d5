"""A node affinity in a form that the API server refuses."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.conform.objects import Objects, reach
from gitgpu.conform.rule import Finding, Rule
from gitgpu.conform.syntax import is_dns_subdomain, is_label_value, is_qualified_name
from gitgpu.conform.workload.label_selectors import KEY, VALUE
from gitgpu.conform.workload.pods import REQUIRED, pods
from gitgpu.diagnostic import Severity
from gitgpu.schedule.requirement import BOUNDS
from gitgpu.source import Pointer

_PREFERRED = (*REQUIRED[:2], "preferredDuringSchedulingIgnoredDuringExecution")
_ONE = ("Gt", "Lt")  # of the bounds that Karpenter knows, those that pods may use
_LISTS, _BARE = ("In", "NotIn"), ("Exists", "DoesNotExist")
_FIELD, _MOST = "metadata.name", 100
_KNOWN = (*_LISTS, *_BARE, *_ONE)


def _check(objects: Objects) -> Iterator[Finding]:
    for pod in pods(objects):
        if reach(pod.spec, *REQUIRED) == []:
            message = "no node selector term: the API server demands one at least"
            yield Finding(pod.item, (*pod.pointer, *REQUIRED), message, "write a term, or remove the affinity")
        for at, preference in enumerate(reach(pod.spec, *_PREFERRED) or ()):
            weight = reach(preference, "weight") or 0
            if not 1 <= weight <= _MOST:
                message = f"weight must be between 1 and {_MOST}; found {weight}"
                yield Finding(pod.item, (*pod.pointer, *_PREFERRED, at, "weight"), message, "write such a number")
        for place, one in _expressions(pod.pointer, pod.spec):
            for part, message, remedy in _of_field(one) if "matchFields" in place else _of_label(one):
                yield Finding(pod.item, (*place, part) if part in one else place, message, remedy)


def _expressions(pointer: Pointer, spec: Mapping[str, Any]) -> Iterator[tuple[Pointer, Mapping[str, Any]]]:
    for path, inside in ((REQUIRED, ()), (_PREFERRED, ("preference",))):
        for at, term in enumerate(reach(spec, *path) or ()):
            for field in ("matchExpressions", "matchFields"):
                for to, one in enumerate(reach(term or {}, *inside, field) or ()):
                    if one:
                        yield (*pointer, *path, at, *inside, field, to), one


def _of_label(one: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    if not is_qualified_name(one.get("key") or ""):
        yield "key", f"'{one.get('key') or ''}' is not a valid label key", KEY
    values = one.get("values") or []
    fault = _fault(str(one.get("operator") or ""), values)
    if fault:
        yield fault
    else:
        for value in values if one.get("operator") in _LISTS else ():
            if not is_label_value(str(value)):
                yield "values", f"'{value}' is not a valid label value", VALUE


def _of_field(one: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    values = one.get("values") or []
    if one.get("key") != _FIELD:
        yield "key", f"matchFields knows {_FIELD} only", "write a label into matchExpressions"
    if one.get("operator") not in _LISTS:
        yield "operator", f"matchFields takes operator {' or '.join(_LISTS)}", f"use one of: {', '.join(_LISTS)}"
    elif len(values) != 1 or not is_dns_subdomain(str(values[0])):
        yield "values", "matchFields takes the name of one node", "write one name of a node"


def _fault(operator: str, values: list[Any]) -> tuple[str, str, str] | None:
    if operator not in _KNOWN:
        return "operator", f"a node affinity has no operator '{operator}'", f"use one of: {', '.join(_KNOWN)}"
    if operator in _LISTS and not values:
        return "values", f"operator {operator} needs values", "write at least one value"
    if operator in _BARE and values:
        return "values", f"operator {operator} takes no values", "remove the values, or write operator: In"
    if operator in BOUNDS and (len(values) != 1 or not _is_whole(str(values[0]))):
        return "values", f"operator {operator} needs one whole number", "write one number, as a text"
    return None


def _is_whole(text: str) -> bool:
    return text.removeprefix("-").isdecimal() and text.isascii()


RULE = Rule(
    code="POD023",
    name="bad-node-affinity",
    severity=Severity.ERROR,
    summary="A node affinity has no terms, a weight out of range, or an expression that is not valid.",
    help="The API server refuses the pod, and a workload whose template has such an affinity; a bound that is no whole "
    "number it takes, and then no node ever matches.",
    sources=(
        "https://kubernetes.io/docs/concepts/scheduling-eviction/assign-pod-node/#operators",
        "https://github.com/kubernetes/kubernetes/blob/v1.36.2/pkg/apis/core/validation/validation.go",
    ),
    check=_check,
    bad="""
apiVersion: v1
kind: Pod
metadata: {name: trainer, namespace: research}
spec:
  containers: [{name: main}]
  affinity:
    nodeAffinity:
      requiredDuringSchedulingIgnoredDuringExecution:
        nodeSelectorTerms:
        - matchExpressions:
          - {key: karpenter.azure.com/sku-gpu-count, operator: Gte, values: ["4"]}
          - {key: karpenter.azure.com/sku-name, operator: In, values: []}
          - {key: karpenter.azure.com/sku-cpu, operator: Gt, values: [many]}
""",
    good="""
apiVersion: v1
kind: Pod
metadata: {name: trainer, namespace: research}
spec:
  containers: [{name: main}]
  affinity:
    nodeAffinity:
      requiredDuringSchedulingIgnoredDuringExecution:
        nodeSelectorTerms:
        - matchExpressions:
          - {key: karpenter.azure.com/sku-gpu-count, operator: Gt, values: ["3"]}
          - {key: karpenter.azure.com/sku-name, operator: Exists}
""",
)

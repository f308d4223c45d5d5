"""A node affinity in a form that the API server refuses."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.conform.objects import Objects, reach
from gitgpu.conform.pods import REQUIRED, pods
from gitgpu.conform.rule import Finding, Rule
from gitgpu.diagnostic import Severity
from gitgpu.schedule.requirement import BOUNDS
from gitgpu.source import Pointer

_PREFERRED = (*REQUIRED[:2], "preferredDuringSchedulingIgnoredDuringExecution")
_ONE = ("Gt", "Lt")  # of the bounds that Karpenter knows, those that pods may use
_LISTS, _BARE = ("In", "NotIn"), ("Exists", "DoesNotExist")
_KNOWN = (*_LISTS, *_BARE, *_ONE)


def _check(objects: Objects) -> Iterator[Finding]:
    for pod in pods(objects):
        if reach(pod.spec, *REQUIRED) == []:
            message = "no node selector term: the API server demands one at least"
            yield Finding(pod.item, (*pod.pointer, *REQUIRED), message, "write a term, or remove the affinity")
        for place, one in _expressions(pod.pointer, pod.spec):
            fault = _fault(str(one.get("operator") or ""), one.get("values") or [])
            if fault:
                part, message, remedy = fault
                yield Finding(pod.item, (*place, part) if part in one else place, message, remedy)


def _expressions(pointer: Pointer, spec: Mapping[str, Any]) -> Iterator[tuple[Pointer, Mapping[str, Any]]]:
    for path, inside in ((REQUIRED, ()), (_PREFERRED, ("preference",))):
        for at, term in enumerate(reach(spec, *path) or ()):
            for to, one in enumerate(reach(term or {}, *inside, "matchExpressions") or ()):
                if one:
                    yield (*pointer, *path, at, *inside, "matchExpressions", to), one


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
    summary="A node affinity has no terms, or an expression whose operator and values do not go together.",
    help="The API server refuses the pod, and a workload whose template has such an affinity; a bound that is no whole "
    "number it takes, and then no node ever matches.",
    sources=(
        "https://kubernetes.io/docs/concepts/scheduling-eviction/assign-pod-node/#operators",
        "https://github.com/kubernetes/kubernetes/blob/v1.34.0/pkg/apis/core/validation/validation.go",
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

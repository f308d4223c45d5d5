"""A selector that does not match the pods of its own workload."""

from collections.abc import Iterator, Mapping

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.syntax.label_text import label_text
from gitgpu.model.syntax.requirement import ABSENT, requirement
from gitgpu.objects.objects import Item, Objects
from gitgpu.objects.workload.pod_templates import pod_templates
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer

_KINDS = ("DaemonSet", "Deployment", "ReplicaSet", "StatefulSet")
_PLACE: Pointer = ("spec", "selector")
_OPERATORS = ("DoesNotExist", "Exists", "In", "NotIn")


def _check(objects: Objects) -> Iterator[Finding]:
    for kind in _KINDS:
        for item in objects.of("apps", kind):
            for template in pod_templates(item):
                yield from (Finding(item, *fault) for fault in _faults(item, template.labels))


def _faults(item: Item, labels: Mapping[str, str]) -> Iterator[tuple[Pointer, str, str]]:
    selector = reach(item.body, *_PLACE) or {}
    match_labels, terms = selector.get("matchLabels") or {}, selector.get("matchExpressions") or ()
    if not match_labels and not terms:
        yield _PLACE, "the selector is empty", "add the labels of the pod template to it"
    for key, value in match_labels.items():
        if labels.get(key) != value:
            has = f"has {label_text(key, labels[key])}" if key in labels else f"has no label {key}"
            message = f"the selector requires {label_text(key, value)}, but the pod template {has}"
            yield (*_PLACE, "matchLabels", key), message, "add the same label to the pod template"
    for index, term in enumerate(terms):
        # Gt and Lt are for node affinity; the API server rejects them here.
        if not term or term["operator"] not in _OPERATORS:
            continue
        required = requirement(term["key"], term["operator"], term.get("values") or ())
        value = labels.get(term["key"])
        matches = required.operator in ABSENT if value is None else required.takes(value)
        if not matches:
            message = f"the pod template does not match the selector's expression on {term['key']}"
            yield (*_PLACE, "matchExpressions", index), message, "add a matching label to the pod template"


RULE = Rule(
    code="NAM001",
    name="selector-mismatch",
    severity=Severity.ERROR,
    rejects=True,
    summary="A workload selects pods by labels that its pod template does not have, or has an empty selector.",
    help="The API server rejects it, because the controller would never find the pods that it creates.",
    sources=(
        "https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#selector",
        "https://github.com/kubernetes/kubernetes/blob/v1.34.0/pkg/apis/apps/validation/validation.go",
    ),
    check=_check,
)

"""A do-not-disrupt annotation that Karpenter ignores."""

import re
from collections.abc import Iterator

from gitgpu.access import mapping_at
from gitgpu.diagnostic import Severity
from gitgpu.model.names.annotations import DO_NOT_DISRUPT_ANNOTATION
from gitgpu.objects.node.node_pools import every_node_pool
from gitgpu.objects.objects import Item, Objects
from gitgpu.objects.workload.known_kinds import WORKLOADS
from gitgpu.objects.workload.pod_templates import pod_templates
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer, dotted_text

_DROPPED = ("karpenter.sh/do-not-evict", "karpenter.sh/do-not-consolidate")  # in v1
# A Go duration above 0: time.ParseDuration takes the micro sign (U+00B5) and the Greek letter mu (U+03BC) as well.
_DURATION = re.compile(r"\+?(([0-9]+\.?[0-9]*|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+\Z", re.ASCII)
_TEMPLATE: Pointer = ("spec", "template", "metadata")


def _check(objects: Objects) -> Iterator[Finding]:
    for group, kind in WORKLOADS:
        for item in objects.of(group, kind):
            for template in pod_templates(item):
                yield from _value_findings(item, (*template.pointer, "metadata"), timed=True)
                yield from _place_findings(item, (*template.pointer, "metadata"), "the annotations of the pod template")
    for pool in every_node_pool(objects):
        yield from _value_findings(pool.item, _TEMPLATE, timed=False)
        yield from _place_findings(pool.item, _TEMPLATE, "spec.template.metadata.annotations")


def _value_findings(item: Item, place: Pointer, *, timed: bool) -> Iterator[Finding]:
    """Findings about annotations in the right place: a value that Karpenter cannot read, or a key that it dropped."""
    notes = mapping_at(item.body, *place, "annotations")
    for key in _DROPPED:
        if key in notes:
            message = f"Karpenter dropped the annotation {key} in v1, so it has no effect"
            remedy = (
                f"remove {key}"
                if DO_NOT_DISRUPT_ANNOTATION in notes
                else f'remove {key} and set {DO_NOT_DISRUPT_ANNOTATION}: "true"'
            )
            yield Finding(item, (*place, "annotations", key), message, remedy, at_key=True)
    value = str(notes.get(DO_NOT_DISRUPT_ANNOTATION, "true"))
    if value not in ("true", "false") and not (timed and _is_duration(value)):
        forms = '"true", or a duration from the start of the pod, such as 1h' if timed else '"true"'
        message = f"Karpenter cannot read the value '{value}' of {DO_NOT_DISRUPT_ANNOTATION}, so it has no effect"
        yield Finding(item, (*place, "annotations", DO_NOT_DISRUPT_ANNOTATION), message, f"use {forms}")


def _place_findings(item: Item, right: Pointer, where: str) -> Iterator[Finding]:
    """The finding about a key that Karpenter does not read there, unless it is in the right place as well."""
    if DO_NOT_DISRUPT_ANNOTATION in mapping_at(item.body, *right, "annotations"):
        return
    wrong: list[Pointer] = [("metadata", "labels"), ("metadata", "annotations"), (*right, "labels")]
    for place in dict.fromkeys(wrong):  # for a Pod, two of them are the same
        if DO_NOT_DISRUPT_ANNOTATION in mapping_at(item.body, *place):
            where_it_is = dotted_text(place)
            message = f"Karpenter does not read {DO_NOT_DISRUPT_ANNOTATION} in {where_it_is}, so it has no effect"
            yield Finding(item, (*place, DO_NOT_DISRUPT_ANNOTATION), message, f"move it to {where}", at_key=True)


def _is_duration(value: str) -> bool:
    return _DURATION.match(value) is not None and any(digit in value for digit in "123456789")


RULE = Rule(
    code="NPL021",
    name="ignored-do-not-disrupt",
    severity=Severity.WARNING,
    summary="A do-not-disrupt annotation of a workload or NodePool is in a place or form that Karpenter ignores.",
    help="The annotation belongs on pods and nodes: in the pod template, or in the template of the NodePool. Its value "
    "is true; on pods it can be a duration. Karpenter ignores anything else, and interrupts long runs.",
    sources=(
        "https://learn.microsoft.com/azure/aks/node-auto-provisioning-disruption#control-disruption-using-annotations",
        "https://github.com/kubernetes-sigs/karpenter/blob/1b4b3e8c829dea93c8a0429e0e27aa68edc98ed7/pkg/utils/pod/scheduling.go",
        "https://github.com/kubernetes-sigs/karpenter/blob/1b4b3e8c829dea93c8a0429e0e27aa68edc98ed7/pkg/controllers/state/statenode.go",
        "https://github.com/kubernetes-sigs/karpenter/blob/1b4b3e8c829dea93c8a0429e0e27aa68edc98ed7/designs/v1-api.md",
    ),
    check=_check,
)

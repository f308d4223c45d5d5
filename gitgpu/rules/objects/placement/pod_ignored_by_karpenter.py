"""A pod that Karpenter ignores because of its node requirements."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.access import reach
from gitgpu.diagnostic import Change, Repair, Severity
from gitgpu.objects.node.label_values import known_values, same_but_for_case, yaml_value
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.node_constraints import RequiredLabel, required_labels
from gitgpu.objects.workload.pods import REQUIRED, Pod, pods
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.spelling import one_of


def _check(objects: Objects) -> Iterator[Finding]:
    facts = objects.catalog.must("placement", "aks")
    values_by_key = {
        key: values for key, values in known_values(objects).items() if key.startswith(tuple(facts["restricted"]))
    }
    for pod in pods(objects):
        # Karpenter does not start nodes for DaemonSets.
        for requirement in () if pod.is_daemon else required_labels(pod):
            yield from _unknown_values(pod, requirement, values_by_key)
            if requirement.key.partition("/")[0] in facts["restricted"] and requirement.key not in facts["wellKnown"]:
                message = f"Karpenter ignores every pod that requires the label {requirement.key}"
                remedy = "select nodes by karpenter.sh/nodepool, or by your own label that the NodePool sets"
                yield Finding(pod.item, requirement.pointer, message, remedy)
        for index, term in enumerate(reach(pod.spec, *REQUIRED) or ()):
            # A pod without a Karpenter label may be meant for other nodes.
            if term and term.get("matchFields") and _requires_karpenter_label(term, facts["restricted"]):
                place = (*pod.pointer, *REQUIRED, index, "matchFields")
                message = "Karpenter ignores every pod with matchFields"
                yield Finding(pod.item, place, message, "use matchExpressions")


def _unknown_values(
    pod: Pod, requirement: RequiredLabel, values_by_key: Mapping[str, tuple[str, ...]]
) -> Iterator[Finding]:
    allowed = values_by_key.get(requirement.key, ())
    # Karpenter accepts the pod if one of the values exists.
    if requirement.operator != "In" or not allowed or any(value in allowed for _, value in requirement.values):
        return
    for place, value in requirement.values:
        better = same_but_for_case(value, allowed)
        remedy = f"use {yaml_value(better)}" if better else f"use {one_of(allowed)}"
        repair = Repair(Change.VALUE, place, yaml_value(better)) if better else None
        yield Finding(pod.item, place, f"no node has the label {requirement.key}={value}", remedy, repair=repair)


def _requires_karpenter_label(term: Mapping[str, Any], domains: list[str]) -> bool:
    """Whether the term also requires a label that only Karpenter nodes have."""
    expressions = term.get("matchExpressions") or ()
    return any(str(expression.get("key")).partition("/")[0] in domains for expression in expressions if expression)


RULE = Rule(
    code="POD014",
    name="pod-ignored-by-karpenter",
    severity=Severity.ERROR,
    summary="A pod has node requirements that make Karpenter ignore it.",
    help="Before it tries any NodePool, Karpenter validates each pod: only well-known labels of its domains, at "
    "least one value that the label can have, and no matchFields. A pod that fails stays Pending, and Karpenter "
    "publishes a FailedScheduling event with the reason.",
    sources=(
        "https://github.com/kubernetes-sigs/karpenter/blob/1b4b3e8c829dea93c8a0429e0e27aa68edc98ed7/pkg/controllers/provisioning/provisioner.go",
        "https://github.com/kubernetes-sigs/karpenter/blob/1b4b3e8c829dea93c8a0429e0e27aa68edc98ed7/pkg/apis/v1/nodeclaim_validation.go",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/apis/v1beta1/labels.go",
    ),
    facts=("placement/aks",),
    check=_check,
    fixable=True,
)

"""A pod that requires a label that no NodePool sets on its nodes."""

from collections.abc import Iterator, Mapping

from gitgpu.diagnostic import Severity
from gitgpu.model.labels import closed_domain
from gitgpu.objects.node.foreign_labels import azure_label, azure_value
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.node_constraints import required_labels
from gitgpu.objects.workload.placement import cases, refusal
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    later = {row["key"]: row["instead"] for row in objects.catalog.must("placement", "aks")["later"]}
    for case in cases(objects):
        key = "" if case.agreeing else refusal(case, objects).missing
        same_key = [label for label in required_labels(case.pod) if label.key == key]
        # A label that must be absent is not missing.
        required = next((label for label in same_key if label.is_positive), None)
        if required:
            value = next((value for _, value in required.values), "")
            late = " before a node exists" if key in later else ""
            message = f"no matching NodePool has the label {key}{late}, so Karpenter does not start a node for this pod"
            yield Finding(case.pod.item, required.pointer, message, _remedy(key, value, later, objects))


def _remedy(key: str, value: str, later: Mapping[str, str], objects: Objects) -> str:
    """Suggests another label, or that a NodePool sets this one if it can be set there."""
    foreign = azure_label(key, objects)
    if foreign:
        return f"{key} is a label of another cloud: use {azure_value(foreign, value, objects)}"
    instead = later.get(key, "")
    labels = objects.catalog.must("labels", "karpenter")
    refused = key in labels["refused"] or closed_domain(key, labels) is not None
    select = f"select nodes by {instead}" if instead else "select nodes by your own label that a NodePool sets"
    return select if refused else f"{select}, or set {key} in spec.template.metadata.labels of a NodePool"


RULE = Rule(
    code="POD002",
    name="node-label-not-on-any-nodepool",
    severity=Severity.ERROR,
    summary="A GPU pod requires a label that no NodePool sets and that Karpenter does not know.",
    help="Karpenter decides from the NodePool, before the node exists. Labels that AKS, Node Feature Discovery or "
    "GPU Feature Discovery add to a running node are not present yet, so the first such pod stays Pending "
    "indefinitely.",
    sources=(
        "https://github.com/kubernetes-sigs/karpenter/blob/1b4b3e8c829dea93c8a0429e0e27aa68edc98ed7/pkg/scheduling/requirements.go",
        "https://github.com/Azure/karpenter-provider-azure/issues/1005",
    ),
    check=_check,
)

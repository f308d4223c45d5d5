"""A requirement on a label of another cloud, with which Karpenter cannot choose a size in AKS."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.size.node_labels import GPU_NAME, NAMES
from gitgpu.objects.node.foreign_labels import azure_label, azure_value
from gitgpu.objects.node.node_pools import node_pools
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for pool in node_pools(objects):
        # With another requirement that chooses the size, it only announces a label that pods select.
        chosen = not {*NAMES, GPU_NAME}.isdisjoint(pool.together)
        for entry in pool.entries:
            label = azure_label(entry.key, objects)
            announced = chosen and entry.operator == "In" and len(entry.values) == 1
            if label and not announced:
                message = f"{entry.key} is a label of another cloud, so Karpenter cannot choose a size in AKS with it"
                instead = azure_value(label, next(iter(entry.values), ""), objects)
                yield Finding(pool.item, (*entry.pointer, "key"), message, f"require {instead} instead")


RULE = Rule(
    code="NPL092",
    name="label-of-other-cloud",
    severity=Severity.WARNING,
    summary="A NodePool for AKS requires a label that only nodes of another cloud have.",
    help="No size in AKS has such a label. Karpenter ignores a requirement on a label that a size does not have, so "
    "the NodePool starts any of its other sizes.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/issues/880",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/apis/v1beta1/labels.go",
        "https://github.com/kubernetes-sigs/karpenter/blob/1b4b3e8c829dea93c8a0429e0e27aa68edc98ed7/pkg/scheduling/requirements.go",
    ),
    check=_check,
)

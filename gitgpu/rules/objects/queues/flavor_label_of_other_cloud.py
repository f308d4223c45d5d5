"""A ResourceFlavor with a label that only the nodes of another cloud have."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.objects.node.foreign_labels import azure_label, azure_value
from gitgpu.objects.objects import Objects
from gitgpu.objects.queues.flavors import flavors
from gitgpu.objects.queues.nodes import is_for_aks, may_have
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for flavor in flavors(objects).values():
        for key, value in flavor.labels.items():
            label = azure_label(key, objects)
            if label and is_for_aks(objects) and not may_have(key, objects):
                message = f"no node in AKS has {key}, a label of another cloud, so admitted pods stay Pending"
                remedy = f"use {azure_value(label, value, objects)}"
                yield Finding(flavor.item, ("spec", "nodeLabels", key), message, remedy, at_key=True)


RULE = Rule(
    code="QUE022",
    name="flavor-label-of-other-cloud",
    severity=Severity.ERROR,
    summary="A ResourceFlavor for AKS has a label that only the nodes of another cloud have.",
    help="Kueue adds the nodeLabels of a flavor to the node selector of the pods that it admits.",
    sources=(
        "https://github.com/kubernetes-sigs/kueue/blob/8eab68778fc1/apis/kueue/v1beta2/resourceflavor_types.go",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/apis/v1beta1/labels.go",
    ),
    facts=("placement/aks",),
    check=_check,
)

"""A retired tag on an AKSNodeClass that once kept AKS from installing the GPU driver."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.retirement import retired_tags
from gitgpu.objects.node.node_classes import node_classes
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for item, spec in node_classes(objects):
        for tag, message in retired_tags(spec.get("tags") or (), objects.catalog, objects.today):
            remedy = "remove the tag; to install the driver yourself, set gpu: {mode: None}"
            place = ("spec", "tags", tag)
            yield Finding(item, place, f"{message}: it no longer skips the driver installation", remedy, at_key=True)


RULE = Rule(
    code="ANC007",
    name="retired-node-class-tag",
    severity=Severity.WARNING,
    summary="An AKSNodeClass has a retired tag that once skipped the GPU driver installation.",
    help="Use gpu.mode instead. Karpenter does not read the tag: it still chooses sizes as if AKS installs the driver.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/includes/skip-gpu-driver-install-retirement.md",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/apis/v1beta1/aksnodeclass.go",
    ),
    facts=("pools/aks",),
    check=_check,
)

"""A tag of an AKSNodeClass that Karpenter overwrites."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.objects.node.node_classes import node_classes
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    karpenter_tags = objects.catalog.must("tags", "azure")["karpenter"]
    for item, spec in node_classes(objects):
        for key in spec.get("tags") or ():
            if key.lower() in karpenter_tags:
                message = f"tag {key} is reserved: Karpenter sets it on every machine"
                yield Finding(item, ("spec", "tags", key), message, "use another tag name", at_key=True)


RULE = Rule(
    code="ANC011",
    name="reserved-tag",
    twin="SCH016",
    severity=Severity.WARNING,
    summary="An AKSNodeClass sets a tag that Karpenter overwrites.",
    help="Karpenter identifies its machines by tags and sets them last, so your value is lost.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/launchtemplate/tags.go",
    ),
    facts=("tags/azure",),
    check=_check,
)

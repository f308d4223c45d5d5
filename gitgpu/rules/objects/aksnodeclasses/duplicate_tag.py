"""Two tags of an AKSNodeClass or AKS node pool that are one tag in Azure."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.azure_tags import same_tags
from gitgpu.objects.node.agent_pools import agent_pools
from gitgpu.objects.node.node_classes import node_classes
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.spelling import join_names


def _check(objects: Objects) -> Iterator[Finding]:
    for item, spec in node_classes(objects):
        for names in same_tags(spec.get("tags") or (), by_karpenter=True):
            yield Finding(item, ("spec", "tags", names[-1]), _message(names), "keep one of them", at_key=True)
    for pool in agent_pools(objects):
        for names in same_tags(pool.spec.get("tags") or ()):
            message = f"{_message(names)}, {names[0]}"
            yield Finding(pool.item, pool.place("tags", names[-1]), message, "keep one of them", at_key=True)


def _message(names: list[str]) -> str:
    return f"{join_names(names)} are the same Azure tag: machines have only one of them"


RULE = Rule(
    code="ANC012",
    name="duplicate-tag",
    twin="SCH015",
    severity=Severity.WARNING,
    summary="Two tag names of an AKSNodeClass or AKS node pool differ in case only.",
    help="Azure tag names are not case-sensitive. For a node pool, AKS keeps the first one in alphabetical order and "
    "drops the others. Which one a machine of Karpenter gets is not documented; Karpenter also replaces each slash in "
    "a name with an underscore.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/use-tags.md",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/launchtemplate/tags.go",
        "https://learn.microsoft.com/azure/azure-resource-manager/management/tag-resources",
    ),
    check=_check,
)

"""A tag of an AKSNodeClass or AKS node pool that Azure rejects."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.diagnostic import Severity
from gitgpu.model.azure_tags import tag_name
from gitgpu.objects.node.agent_pools import agent_pools
from gitgpu.objects.node.node_classes import node_classes
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    row = objects.catalog.must("tags", "azure")
    for item, spec in node_classes(objects):
        tags = spec.get("tags") or {}
        for key, message, remedy in (*_names(tags, row), *_values(tags, row)):
            yield Finding(item, ("spec", "tags", key), message, remedy, at_key=True)
        # A tag of the same name as one of Karpenter's counts once.
        total = len({tag_name(key, by_karpenter=True) for key in tags} | set(row["karpenter"]))
        if tags and total > row["most"]:
            yield Finding(item, ("spec", "tags"), *_too_many(total, "Karpenter", row["most"]))
    for pool in agent_pools(objects):
        tags = pool.spec.get("tags") or {}
        for key, message, remedy in (*_names(tags, row), *_values(tags, row)):
            yield Finding(pool.item, pool.place("tags", key), message, remedy, at_key=True)
        total = len({tag_name(key) for key in tags} | set(row["nodePools"]))
        if tags and total > row["most"]:
            yield Finding(pool.item, pool.place("tags"), *_too_many(total, "AKS", row["most"]))


def _too_many(total: int, owner: str, most: int) -> tuple[str, str]:
    message = f"machines would have {total} tags, including those that {owner} adds; Azure allows {most}"
    return message, f"remove {total - most} tags, or combine several values in one tag"


def _names(tags: Mapping[str, str], row: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    for key in tags:
        wrong_characters = [character for character in row["refused"] if character in key]
        if wrong_characters:
            yield key, f"a tag name cannot contain '{wrong_characters[0]}'", "rename the tag without that character"
        if len(key) > row["nameLength"]:
            message = f"the tag name has {len(key)} characters; Azure allows {row['nameLength']}"
            yield key, message, "shorten it"


def _values(tags: Mapping[str, str], row: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    for key, value in tags.items():
        if len(value) > row["valueLength"]:
            message = f"the tag value has {len(value)} characters; Azure allows {row['valueLength']}"
            yield key, message, "shorten it, or split it into several tags"


RULE = Rule(
    code="ANC005",
    name="invalid-azure-tag",
    severity=Severity.ERROR,
    rejects=True,
    summary="An AKSNodeClass or node pool has tags that Azure refuses: bad characters, too long, too many.",
    help="The API server rejects bad names and values in an AKSNodeClass, and Azure rejects them in a node pool. "
    "The API server does not count the tags; then Azure rejects each machine, and no node starts.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/v1.14.2/pkg/apis/crds/karpenter.azure.com_aksnodeclasses.yaml",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/launchtemplate/tags.go",
        "https://learn.microsoft.com/azure/azure-resource-manager/management/tag-resources",
    ),
    facts=("tags/azure",),
    check=_check,
)

"""A tag that Azure does not take."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.conform.node.node_classes import node_classes
from gitgpu.conform.objects import Objects
from gitgpu.conform.rule import Finding, Rule
from gitgpu.diagnostic import Severity

BAD = """
apiVersion: karpenter.azure.com/v1beta1
kind: AKSNodeClass
metadata: {name: t4}
spec:
  tags: {cost&center: "4711", Team: vision, team: vision}
"""


def _check(objects: Objects) -> Iterator[Finding]:
    row = objects.catalog.must("tags", "azure")
    for item, spec in node_classes(objects):
        tags = spec.get("tags") or {}
        for key, message, remedy in (*_names(tags, row), *_values(tags, row), *_same(tags)):
            yield Finding(item, ("spec", "tags", key), message, remedy, at_key=True)
        total = len({_as_azure_sees(key) for key in tags} | set(row["karpenter"]))
        if tags and total > row["most"]:
            message = f"a machine would have {total} tags with those that Karpenter adds: {row['most']} are allowed"
            remedy = f"remove {total - row['most']}, or put several values into one tag"
            yield Finding(item, ("spec", "tags"), message, remedy)


def _names(tags: Mapping[str, str], row: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    for key in tags:
        wrong = [sign for sign in row["refused"] if sign in key]
        if wrong:
            yield key, f"the name of a tag may not have a {wrong[0]}", "write it without that character"
        if len(key) > row["nameLength"]:
            message = f"the name of a tag has {len(key)} characters: {row['nameLength']} are allowed"
            yield key, message, "shorten it"


def _values(tags: Mapping[str, str], row: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    for key, value in tags.items():
        if len(value) > row["valueLength"]:
            message = f"the value of a tag has {len(value)} characters: {row['valueLength']} are allowed"
            yield key, message, "shorten it, or divide it among several tags"


def _same(tags: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    seen: dict[str, str] = {}
    for key in tags:
        first = seen.setdefault(_as_azure_sees(key), key)
        if first != key:
            yield key, f"the tags {first} and {key} are one to Azure", "keep one of the two"


def _as_azure_sees(key: str) -> str:
    """Karpenter writes a slash as _, and Azure does not tell capitals from small letters."""
    return key.replace("/", "_").lower()


RULE = Rule(
    code="ANC005",
    name="bad-tag",
    severity=Severity.ERROR,
    summary="An AKSNodeClass has tags that Azure does not take: signs, lengths, too many, or one name twice.",
    help="The API server refuses bad names and values. It does not count the tags and takes names that differ in case "
    "alone; then Azure refuses each machine, and no node starts.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/v1.14.2/pkg/apis/crds/karpenter.azure.com_aksnodeclasses.yaml",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/launchtemplate/tags.go",
        "https://learn.microsoft.com/azure/azure-resource-manager/management/tag-resources",
    ),
    check=_check,
    bad=BAD,
    good=BAD.replace("cost&center", "cost-center").replace(", team: vision", ""),
)

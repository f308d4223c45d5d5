"""The Kubernetes versions in the output of `az aks get-versions` (KubernetesVersionListResult).

Format: https://github.com/Azure/azure-rest-api-specs/blob/3ddbe09be4fc8eb975b540525a57c5dc3b25f312/specification/containerservice/resource-manager/Microsoft.ContainerService/aks/stable/2025-01-01/examples/KubernetesVersions_List.json
"""

import re
from typing import Any, NamedTuple

from gitgpu.diagnostic import Diagnostic, fault
from gitgpu.load.text import Text
from gitgpu.refresh.answers.json_items import Item, items
from gitgpu.refresh.answers.recognition import VERSIONS, foreign, has, texts
from gitgpu.source import Span

OPTION = "--versions"
_VERSION = re.compile(r"1\.[0-9]+(\.[0-9]+)?")


class OfferedVersion(NamedTuple):
    """A minor version that AKS offers, with its patch versions in order, and its support plans."""

    minor: str
    patches: tuple[str, ...]
    preview: bool
    support: tuple[str, ...]
    item: Item


def versions(text: Text) -> tuple[list[OfferedVersion], list[Diagnostic]]:
    """The minor versions in a list, and its faults."""
    all_versions: list[OfferedVersion] = []
    for item in items(text, ("values",)):
        if isinstance(item, Diagnostic):
            return all_versions, [item]
        if not _is_version(item.data):
            return all_versions, [foreign(item, VERSIONS, OPTION)]
        all_versions.append(_version(item))
    if all_versions:
        return all_versions, []
    return [], [fault("CAT012", "the list is empty", "check --location of the command", Span(text.name, 1, 1))]


def _is_version(data: Any) -> bool:
    if not has(data, ("version", "patchVersions")) or not isinstance(data["patchVersions"], dict):
        return False
    return all(_VERSION.fullmatch(text) for text in (str(data["version"]), *data["patchVersions"]))


def _version(item: Item) -> OfferedVersion:
    data = item.data
    patches = sorted(data["patchVersions"], key=lambda patch: [int(part) for part in patch.split(".")])
    support = tuple(texts(data, "capabilities", "supportPlan"))
    return OfferedVersion(data["version"], tuple(patches), bool(data.get("isPreview")), support, item)

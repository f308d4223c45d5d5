"""The objects of files as a cluster gets them: grouped, substituted, and with what the API server would reject."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from gitgpu.conform import Norms
from gitgpu.conform.grouping.applied import as_applied
from gitgpu.conform.grouping.applied_together import group_files
from gitgpu.conform.grouping.groups import Group, title
from gitgpu.conform.grouping.unsubstituted import substituted, waiting
from gitgpu.conform.node.node_pools import is_for_aks
from gitgpu.conform.objects import NODE_POOL, Identity, Item
from gitgpu.diagnostic import Diagnostic
from gitgpu.load.manifest.manifests import Manifests
from gitgpu.load.manifest.objects import Loaded, is_ours
from gitgpu.simulate.explain.admission import POOLS, admitted, counts
from gitgpu.source import Span


class AppliedObject(NamedTuple):
    """An object of a file as it is applied, and the fault for which the API server would reject it."""

    loaded: Loaded
    item: Item
    fault: Diagnostic | None


def clusters_in(
    manifests: Manifests, minor: str, norms: Mapping[str, Norms]
) -> Iterator[tuple[str, list[AppliedObject]]]:
    """The groups of files that create AKS nodes, each with its name and its objects.

    `norms` come from `admission.refusing`.
    """
    for group, members in _applied_by_group(manifests, minor, norms):
        if any(_is_pool(member.item) for member in members):
            yield group.name or title([part.file for part in group.parts]), members


def items_of(
    manifests: Manifests, minor: str, norms: Mapping[str, Norms]
) -> tuple[list[Item], list[tuple[Identity, Diagnostic]]]:
    """The objects of all files, each once, and those that the API server would reject. Patches are omitted."""
    items: dict[tuple[Identity, Span], Item] = {}
    refused: dict[Identity, Diagnostic] = {}
    for _, members in _applied_by_group(manifests, minor, norms):
        for loaded, item, fault in members:
            if item.is_patch:
                continue
            items.setdefault((item.identity, loaded.places.span()), item)
            if fault and counts(item):
                refused.setdefault(item.identity, fault)
    return list(items.values()), list(refused.items())


def _applied_by_group(
    manifests: Manifests, minor: str, norms: Mapping[str, Norms]
) -> Iterator[tuple[Group, list[AppliedObject]]]:
    """Files that are applied together, with their objects. Objects with unknown values are omitted."""
    unfilled = waiting(manifests)
    for group in group_files(manifests).groups:
        members = []
        for part in group.parts:
            file = manifests.files.get(part.file)
            for loaded in file.objects if file else ():
                given = None if is_ours(loaded.body) else substituted(loaded, part, unfilled)
                if given:
                    item, fault = admitted(given, minor, norms)
                    members.append(AppliedObject(loaded, as_applied(item, loaded, part), fault))
        yield group, members


def _is_pool(item: Item) -> bool:
    """Whether the object creates AKS nodes. An object that cannot be read counts as one, so that it is reported."""
    kind = (item.identity.group, item.identity.kind)
    if item.is_patch or kind not in POOLS:
        return False
    return kind != NODE_POOL or not item.sound or is_for_aks(item.body)

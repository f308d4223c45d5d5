"""The objects of files as a cluster gets them: grouped, substituted, and with what the API server would reject."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from gitgpu.diagnostic import Diagnostic
from gitgpu.model.names.kinds import NODE_POOL
from gitgpu.objects.grouping.applied import as_applied
from gitgpu.objects.grouping.applied_together import group_files
from gitgpu.objects.grouping.groups import Group, title
from gitgpu.objects.grouping.unsubstituted import substitute, waiting
from gitgpu.objects.loaded import Loaded
from gitgpu.objects.manifest.manifest_file import is_ours
from gitgpu.objects.manifest.manifests import Manifests
from gitgpu.objects.node.node_pools import is_for_aks
from gitgpu.objects.norms import Norms
from gitgpu.objects.objects import Identity, Item
from gitgpu.objects.workload.pod_templates import pod_templates
from gitgpu.simulate.admission import POOLS, admit, counts
from gitgpu.simulate.pod.templates import templates
from gitgpu.simulate.setup import Refused
from gitgpu.source import Span


class AppliedObject(NamedTuple):
    """An object of a file as it is applied, and the fault for which the API server would reject it."""

    loaded: Loaded
    item: Item
    fault: Diagnostic | None


def clusters_in(manifests: Manifests, minor: str, norms: Norms) -> Iterator[tuple[str, list[AppliedObject]]]:
    """The groups of files that create AKS nodes, each with its name and its objects.

    `norms` come from `admission.rejection_norms`.
    """
    for group, members in _applied_by_group(manifests, minor, norms):
        if _has_pool(members):
            yield group.name or title([part.file for part in group.parts]), members


def workload_groups(manifests: Manifests, minor: str, norms: Norms) -> list[list[AppliedObject]]:
    """The objects of files, by what is applied together. Patches are omitted."""
    groups = (members for _, members in _applied_by_group(manifests, minor, norms))
    return [[member for member in members if not member.item.is_patch] for members in groups]


def items_for(
    groups: Sequence[Sequence[AppliedObject]], own: Sequence[AppliedObject], others: Iterable[AppliedObject]
) -> tuple[list[Item], list[Refused]]:
    """The objects of the groups that are for one cluster, each once, and those that the API server would reject.

    A group with node pools is a cluster too: it is for `own` if they have a pool in common. A single group whose pools
    are in no cluster adds them to each; of several, each is another cluster.
    """
    clusters = sum(map(_has_pool, groups))
    mine, theirs = list(_pools(own)), list(_pools(others))
    items: dict[tuple[Identity, Span], Item] = {}
    refused: dict[tuple[Identity, Span], Refused] = {}
    for group in groups:
        pools = list(_pools(group))
        if pools and not _meet(pools, mine) and (clusters > 1 or _meet(pools, theirs)):
            continue
        for member in group:
            items.setdefault((member.item.identity, member.loaded.places.span()), member.item)
        for each in refused_objects((member.item, member.fault) for member in group):
            refused.setdefault((each.identity, each.fault.span), each)
    return list(items.values()), list(refused.values())


def refused_objects(judged: Iterable[tuple[Item, Diagnostic | None]]) -> Iterator[Refused]:
    """The objects that the API server would reject, with the pods that they would have: each at least one."""
    for item, fault in judged:
        if fault and counts(item):
            counted = [template.counted() for template in (*pod_templates(item), *templates(item))]
            low, high = sum(max(each.low, 0) for each in counted), sum(max(each.high, 0) for each in counted)
            yield Refused(item.identity._replace(name=item.shown_name), fault, max(low, 1), max(high, 1))


def _has_pool(members: Iterable[AppliedObject]) -> bool:
    return any(True for _ in _pools(members))


def _pools(members: Iterable[AppliedObject]) -> Iterator[Item]:
    return (member.item for member in members if _is_pool(member.item))


def _meet(pools: Iterable[Item], others: Sequence[Item]) -> bool:
    """Whether a pool is in both, with the same content: other clusters may have pools of the same name."""
    return any((pool.identity, pool.body) == (other.identity, other.body) for pool in pools for other in others)


def _applied_by_group(manifests: Manifests, minor: str, norms: Norms) -> Iterator[tuple[Group, list[AppliedObject]]]:
    """Files that are applied together, with their objects. Objects with unknown values are omitted."""
    unfilled = waiting(manifests)
    for group in group_files(manifests).groups:
        members = []
        for part in group.parts:
            file = manifests.files.get(part.file)
            for loaded in file.objects if file else ():
                given = None if is_ours(loaded.body) else substitute(loaded, part, unfilled)
                if given:
                    item, fault = admit(given, minor, norms)
                    members.append(AppliedObject(loaded, as_applied(item, loaded, part), fault))
        yield group, members


def _is_pool(item: Item) -> bool:
    """Whether the object creates AKS nodes. An object that cannot be read counts as one, so that it is reported."""
    kind = (item.identity.group, item.identity.kind)
    if item.is_patch or kind not in POOLS:
        return False
    return kind != NODE_POOL or not item.sound or is_for_aks(item.body)

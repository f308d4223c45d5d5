"""Assigns manifests of a repository to clusters, as Flux, Argo CD and Kustomize would apply them.

The group of an entry point has its name. Groups of kustomizations and of loose files have no name and are one cluster,
unless several define the same pool (overlays of several environments). Then each of these is named after its folder.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from posixpath import basename, commonpath, dirname
from typing import Any, NamedTuple

from gitgpu.access import reach, text_at
from gitgpu.adopt.reading.argo_servers import names_of_servers
from gitgpu.adopt.reading.charts_elsewhere import divide
from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.inventory.combined import together
from gitgpu.inventory.folders import distinct_names, folder_below_clusters
from gitgpu.inventory.kubernetes_objects import POOLS, Source, observed_object
from gitgpu.inventory.observed import Azure, Inventory, ObservedCluster, Owner, Skipped
from gitgpu.inventory.read import values_inventory
from gitgpu.inventory.same_objects import identity_of
from gitgpu.inventory.sources.kubernetes import NAME
from gitgpu.load.generated import HEAD, claimed_paths
from gitgpu.load.schemas import Schemas
from gitgpu.model.names.groups import ARGO_GROUP
from gitgpu.model.names.kinds import APPLICATION, APPLICATION_SET, HELM_VALUES, group_kind
from gitgpu.objects.delivery.kustomize import Part
from gitgpu.objects.grouping.applied_together import group_files
from gitgpu.objects.grouping.chart_values import values_beside
from gitgpu.objects.grouping.groups import Group, Grouping
from gitgpu.objects.grouping.unsubstituted import substitute, waiting
from gitgpu.objects.loaded import Loaded
from gitgpu.objects.manifest.chart_folders import charts_of, unrendered_notes
from gitgpu.objects.manifest.manifests import Manifests, strictly
from gitgpu.objects.objects import Given

_ACTION = "{{"  # in the name of a cluster that an ApplicationSet fills in
_UNKNOWN_CLUSTERS = "an ApplicationSet applies it to clusters that these files do not name: import each with --cluster"
_RECORD = re.compile(r"^# Kubernetes (\d+\.\d+)$", re.MULTILINE)
_PLACEHOLDER = "LNT002"  # as a name: the object may be a pool, so that the fleet would not be complete


class _Read(NamedTuple):
    """A group, and the inventory of its objects; `folder` is the folder that the name of the group comes from.

    `server` is the URL of the cluster's API server, if Argo CD objects have it.
    """

    group: Group
    inventory: Inventory
    folder: str = ""
    server: str = ""


class Delivered(NamedTuple):
    """The inventory of manifests, and the files that were read but contain no objects: patches and values."""

    inventory: Inventory
    files: frozenset[str]


def delivered_clusters(manifests: Manifests) -> Delivered:
    """The inventory of all files. Objects that nothing assigns to one of several clusters are skipped."""
    grouping, unfilled = group_files(manifests), waiting(manifests)
    names = names_of_servers(manifests)
    servers = {name: server for server, name in names.items()}
    groups = [group._replace(name=names.get(group.name.rstrip("/"), group.name)) for group in grouping.groups]
    read = [
        _Read(group, _objects(group, grouping, manifests, unfilled), server=servers.get(group.name, group.name))
        for group in groups
    ]
    if not any(part.group.name for part in read):
        read = _distinguished(read)
    read = _with_charts(read, names)
    recorded = Inventory(tuple(_recorded(manifests)), (), tuple(_faults(manifests)))
    inventory = _with_origin(together([*_cluster_inventories(read), recorded]), manifests)
    return Delivered(inventory, frozenset(_used(manifests, read)))


def _with_charts(read: Sequence[_Read], names: Mapping[str, str]) -> list[_Read]:
    """The groups, each with the charts that an Application in another group installs on its cluster."""
    clusters = {part.group.name for part in read if part.group.name and _ACTION not in part.group.name}
    result = [divide(part.inventory, part.group.name, names, clusters) for part in read]
    first = {part.group.name: number for number, part in reversed(list(enumerate(read)))}
    inventories = [part.rest for part in result]
    for part in result:
        for target, objects in part.elsewhere.items():
            added = Inventory((ObservedCluster("", Azure(), objects),))
            inventories[first[target]] = together([inventories[first[target]], added])
    return [part._replace(inventory=inventory) for part, inventory in zip(read, inventories, strict=True)]


def _cluster_inventories(read: Sequence[_Read]) -> Iterator[Inventory]:
    """The inventory of each group, in the cluster that it belongs to."""
    templated_parts = [part for part in read if _ACTION in part.group.name]
    named = [part for part in read if part.group.name and _ACTION not in part.group.name]
    loose: Sequence[_Read] = [part for part in read if not part.group.name or _ACTION in part.group.name]
    if named and all(map(_is_hub, named)) and any(_pools(part.inventory) for part in loose):
        # Only the folder of Argo CD has a name.
        yield from (_skipped(part.inventory, _UNKNOWN_CLUSTERS) for part in named)
        named, templated_parts = [], []
    if templated_parts and not any(_pools(part.inventory) for part in named):
        named, loose = [], read  # the cluster of Argo CD itself is not the one with the pools
    for part in named:
        yield _name_cluster(part.inventory, part.group.name, part.folder, part.server)
    names = {part.group.name for part in named}
    if names:
        yield from _placed(loose, names)
    else:
        yield from (part.inventory for part in loose)


def _faults(manifests: Manifests) -> Iterator[Diagnostic]:
    """Faults of files that could not be read, and warnings about what has to be rendered first."""
    for fault in strictly(manifests, strict=False):
        if fault.code == _PLACEHOLDER:
            yield fault._replace(severity=Severity.ERROR)
        elif fault.severity is not Severity.INFO:
            yield fault
    for note in unrendered_notes(manifests.files, charts_of(manifests.texts), ("read", "import")):
        yield note._replace(code="IMP003", severity=Severity.WARNING)


def _used(manifests: Manifests, read: Iterable[_Read]) -> Iterator[str]:
    """The files that were read, but contain no objects: patches, and values of charts."""
    for kustomization in manifests.kustomizations.values():
        yield from (use.path for use in kustomization.uses if use.patch)
    for part in read:
        for cluster in part.inventory.clusters:
            for observed in cluster.objects:
                if observed.body["kind"] == HELM_VALUES.kind:
                    yield observed.places.span().file


def _recorded(manifests: Manifests) -> Iterator[ObservedCluster]:
    """The Kubernetes version of clusters, which overlays of gitgpu record in a comment."""
    for name in manifests.kustomizations:
        text = manifests.texts[name].content
        match = _RECORD.search(text) if text.startswith("# Generated by gitgpu") else None
        if match:
            yield ObservedCluster(basename(dirname(name)), Azure(kubernetes=match[1]), (), folder=dirname(name))


def _objects(group: Group, grouping: Grouping, manifests: Manifests, unfilled: Mapping[int, Diagnostic]) -> Inventory:
    """The inventory of a group, with its objects as they are applied."""
    inventories = []
    for part in group.parts:
        if not part.patch and part.file in manifests.files:
            inventories += [_object(loaded, part, unfilled) for loaded in manifests.files[part.file].objects]
    return together([*inventories, values_inventory(values_beside(group, grouping))])


def _with_origin(inventory: Inventory, manifests: Manifests) -> Inventory:
    """The inventory, with the objects marked whose files gitgpu generated."""
    generated = {name for name, text in manifests.texts.items() if claimed_paths(text.content[:HEAD].encode())}
    if not generated:
        return inventory
    clusters = []
    for cluster in inventory.clusters:
        objects = (entry._replace(generated=entry.places.span().file in generated) for entry in cluster.objects)
        clusters.append(cluster._replace(objects=tuple(objects)))
    return inventory._replace(clusters=tuple(clusters))


def _object(loaded: Loaded, part: Part, unfilled: Mapping[int, Diagnostic]) -> Inventory:
    """The inventory of an object as it is applied, in the cluster of its group."""
    applied = substitute(loaded, part, unfilled)
    if applied is None:
        name = f"{loaded.body['kind']}/{text_at(loaded.body, 'metadata', 'name')}"
        reason = "some of its values are known only when it is applied, or a patch deletes it"
        return Inventory((), (Skipped(name, loaded.places.span(), reason),))
    tool = "argocd" if part.by and part.by.name.startswith(APPLICATION.kind) else "flux"
    owner = Owner(tool, part.by.name) if part.by else Owner()
    return observed_object(_with_namespace(applied, part), applied.places, Source(NAME, owner=owner))


def _with_namespace(given: Given, part: Part) -> Mapping[str, Any]:
    """The object with the namespace that a kustomization, or else an Application, gives it."""
    body = given.body
    written = text_at(body, "metadata", "namespace")
    namespace = part.namespace or written or part.fallback
    if namespace == written or _is_cluster_scoped(*group_kind(body)):
        return body
    return {**body, "metadata": {**(reach(body, "metadata") or {}), "namespace": namespace}}


def _is_cluster_scoped(group: str, kind: str) -> bool:
    """Whether a kind is cluster-scoped; a kind without a schema counts as namespaced."""
    schemas = Schemas()
    contract = schemas.contract(f"{group}_{kind}".lower())
    if contract:
        return bool(contract["x-gitgpu-scope"] != "Namespaced")
    return f"{group}/{kind}".lstrip("/") in (schemas.contract("_kinds") or {}).get("cluster", ())


def _name_cluster(inventory: Inventory, name: str, folder: str = "", server: str = "") -> Inventory:
    """The inventory in a cluster of this name; objects of Azure name their own cluster."""
    clusters = (
        cluster if cluster.name else cluster._replace(name=name, folder=folder, server=server)
        for cluster in inventory.clusters
    )
    return inventory._replace(clusters=tuple(clusters))


def _placed(loose: Iterable[_Read], names: Collection[str]) -> Iterator[Inventory]:
    """Assigns groups without a name: to the only cluster, or to the one whose name is in their path."""
    for part in loose:
        templated = _ACTION in part.group.name
        folders = set(_folder(part.group).split("/"))
        matching = list(names) if len(names) == 1 else sorted(folders.intersection(names))
        if len(matching) == 1 and not templated:
            yield _name_cluster(part.inventory, matching[0])
            continue
        reason = f"nothing in these files applies it to any of the clusters {', '.join(sorted(names))}"
        yield _skipped(part.inventory, _UNKNOWN_CLUSTERS if templated else reason)


def _is_hub(part: _Read) -> bool:
    """Whether a group has only objects of Argo CD, among them an ApplicationSet for clusters that it does not name."""
    kinds = {group_kind(observed.body) for observed in part.inventory.objects()}
    return APPLICATION_SET in kinds and all(group == ARGO_GROUP for group, _ in kinds)


def _skipped(inventory: Inventory, reason: str) -> Inventory:
    """The inventory without its objects, and why they are not in any cluster."""
    objects = inventory.objects()
    skipped = tuple(Skipped(observed.name, observed.places.span(), reason, observed) for observed in objects)
    return Inventory((), (*inventory.skipped, *skipped), inventory.faults)


def _distinguished(loose: Sequence[_Read]) -> list[_Read]:
    """Groups without names; those below `clusters` or that define the same pool get the names of their folders."""
    loose = [_below_clusters(part) for part in loose]
    pools = [_pools(part.inventory) if not part.group.name else set() for part in loose]
    times = Counter(chain.from_iterable(pools))
    repeated = {identity for identity, count in times.items() if count > 1}
    clashing = [number for number, own in enumerate(pools) if own & repeated]
    distinguished = list(loose)
    names = distinct_names([_folder(loose[number].group) for number in clashing])
    for number, name in zip(clashing, names, strict=True):
        group = loose[number].group
        distinguished[number] = loose[number]._replace(group=group._replace(name=name), folder=_folder(group))
    return distinguished


def _below_clusters(part: _Read) -> _Read:
    """The group, with the name of the folder below `clusters` that contains it, if there is one."""
    folder = folder_below_clusters(_folder(part.group))
    return part._replace(group=part.group._replace(name=folder.rpartition("/")[2]), folder=folder) if folder else part


def _pools(inventory: Inventory) -> set[tuple[str, ...]]:
    return {identity_of(observed.body) for observed in inventory.objects() if group_kind(observed.body) in POOLS}


def _folder(group: Group) -> str:
    """The folder of a group: where its kustomization is, or the common folder of its files."""
    if group.root:
        return dirname(group.root)
    if not group.parts:
        return ""
    return commonpath([dirname(part.file) for part in group.parts])

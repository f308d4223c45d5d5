"""Clusters whose documents do not name them: their folder does, or another document in it.

Exports of several clusters are in folders: `clusters/prod/`, or one with the output of `az aks show`. Objects in a
folder belong to the only cluster that a document below the folder names, or below the nearest folder around it.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, takewhile
from posixpath import dirname
from typing import NamedTuple

from gitgpu.inventory.kubernetes_objects import POOLS
from gitgpu.inventory.observed import Azure, Observed, ObservedCluster
from gitgpu.inventory.same_objects import identity_of
from gitgpu.model.names.kinds import AKS_NODE_CLASS, NODE_POOL, group_kind

_CLUSTERS = "clusters"  # the usual folder of the clusters in a repository


class Placed(NamedTuple):
    """The clusters, some of them with a name from their folder, and those that may belong to one of several."""

    clusters: list[ObservedCluster]
    unknown: list[ObservedCluster]


class _Name(NamedTuple):
    """The name of the cluster that a folder belongs to, and the folder that it comes from; "" if a document has it."""

    name: str
    folder: str = ""


def name_by_folder(clusters: Sequence[ObservedCluster], given: str = "") -> Placed:
    """The clusters, with names as far as their folders show them. `given` is the name of those without one, if set."""
    azure_names = {**_names_in_azure(clusters), **_names_beside(clusters)}
    own_names = _names_of_overlays(clusters)  # gitgpu has named these itself
    aliases = {name: own for name, own in azure_names.items() if name not in own_names.values()} | own_names
    placed: list[ObservedCluster] = []
    unknown: list[ObservedCluster] = []
    by_folder: dict[str, list[ObservedCluster]] = {}
    for cluster in clusters:
        if cluster.name and not cluster.folder:
            placed.append(cluster._replace(name=aliases.get(cluster.name, cluster.name)))
        elif not cluster.name:
            by_folder.setdefault(_folder(cluster), []).append(cluster)
    below = _names_below(placed)
    placed += [_named_as_in_azure(cluster, below) for cluster in clusters if cluster.name and cluster.folder]
    names = dict.fromkeys(by_folder, _Name(given)) if given else _names(placed, by_folder)
    for folder, nameless in by_folder.items():
        found = names[folder]
        (unknown if found is None else placed).extend(
            nameless if found is None else [cluster._replace(**found._asdict()) for cluster in nameless]
        )
    return Placed(placed, unknown)


def _named_as_in_azure(cluster: ObservedCluster, below: Mapping[str, Sequence[str]]) -> ObservedCluster:
    """The cluster that was named after its folder, with the only name that a document in this folder has."""
    names = below.get(cluster.folder, ())
    return cluster._replace(name=names[0], folder="") if len(names) == 1 else cluster


def _names_in_azure(clusters: Iterable[ObservedCluster]) -> dict[str, str]:
    """The name in Azure of each cluster whose folder below `clusters` has a different name, by that of the folder."""
    names: dict[str, set[str]] = {}
    for cluster in clusters:
        own = folder_below_clusters(_folder(cluster)) if cluster.azure.resource_id else ""
        if own:
            names.setdefault(own.rpartition("/")[2], set()).add(cluster.name)
    return {folder: own.pop() for folder, own in names.items() if len(own) == 1}


def _names_beside(clusters: Sequence[ObservedCluster]) -> dict[str, str]:
    """The name in Azure of each cluster that has a different name, and its NodePools in a folder with that one.

    Argo CD and Flux have their own names for clusters. Clusters with manifests in the same folder keep theirs.
    """
    names_by_folder: dict[str, set[str]] = {}
    azure_names: dict[str, set[str]] = {}
    for cluster in clusters:
        if cluster.azure.resource_id:
            names_by_folder.setdefault(_folder(cluster), set()).add(cluster.name)
    for cluster in clusters:
        if _has_node_pools(cluster) and cluster.name and cluster.azure == Azure():
            around = next((folder for folder in upwards(_folder(cluster)) if folder in names_by_folder), None)
            azure_names.setdefault(cluster.name, set()).update(names_by_folder[around] if around is not None else {""})
    claims = Counter(chain.from_iterable(azure_names.values()))
    only = {name: next(iter(own)) for name, own in azure_names.items() if len(own) == 1}
    return {name: own for name, own in only.items() if own and claims[own] == 1}


def _names_of_overlays(clusters: Sequence[ObservedCluster]) -> dict[str, str]:
    """The name in the fleet of each cluster with a different name in Azure that overlays, which gitgpu wrote, name."""
    names: dict[str, set[str]] = {}
    azure_names = Counter[str]()
    for overlays in clusters:
        if overlays.name and overlays.folder and not overlays.objects:
            below = (each for each in clusters if each.azure.resource_id and overlays.folder in upwards(_folder(each)))
            for name in {each.name for each in below}:
                names.setdefault(name, set()).add(overlays.name)
                azure_names[overlays.name] += 1
    only = {azure_name: next(iter(own)) for azure_name, own in names.items() if len(own) == 1}
    return {azure_name: own for azure_name, own in only.items() if azure_names[own] == 1}


def folder_below_clusters(folder: str) -> str:
    """The folder of one cluster below a folder `clusters` that contains this folder; "" without one."""
    parts = folder.split("/")
    if _CLUSTERS not in parts[:-1]:
        return ""
    return "/".join(parts[: parts.index(_CLUSTERS) + 2])


def distinct_names(folders: Sequence[str]) -> list[str]:
    """Names for folders: their paths without the parts that all of them start or end with."""
    parts = [folder.split("/") for folder in folders]
    first = _common_start(parts)
    last = _common_start([part[first:][::-1] for part in parts])
    return ["-".join(part[first : len(part) - last]) or "-".join(part) for part in parts]


def _common_start(paths: Sequence[Sequence[str]]) -> int:
    """How many leading parts all of these paths share."""
    levels = zip(*paths, strict=False)
    return len(list(takewhile(lambda level: len(set(level)) == 1, levels)))


def _names(
    named: Sequence[ObservedCluster], by_folder: Mapping[str, Sequence[ObservedCluster]]
) -> dict[str, _Name | None]:
    """The name for each folder, "" if there is none; None if it may be one of several."""
    pools = {folder: list(_running_pools(nameless)) for folder, nameless in by_folder.items()}
    exports = [folder for folder, own in pools.items() if own]
    below, homes = _names_below(named), _homes(named)
    only = _Name(next(iter(homes)) if len(homes) == 1 else "")
    distinct = {} if named else _distinct(pools)
    names: dict[str, _Name | None] = {}
    for folder in by_folder:
        found = _nearest(folder, below, only)
        if found and folder in exports and _has_other_pools(homes.get(found.name, ()), folder, exports):
            found = None
        if found and not found.name:
            around = next((around for around in upwards(folder) if around in distinct), None)
            found = _Name(distinct[around], around) if around is not None else found
        names[folder] = found if found and (found.name or not homes) else None
    return names


def _nearest(folder: str, below: Mapping[str, Sequence[str]], other: _Name) -> _Name | None:
    """The only name below a folder, or below the nearest folder around it that has any.

    If that has several, the only one that is also the name of the folder, or of one around it; None if there is none.

    `other` is the result if no folder around it has a name: some paths may be absolute.
    """
    own = folder_below_clusters(folder)
    for around in upwards(folder):
        found = below.get(around, ())
        if found:
            folders = folder.lower().split("/")
            matching_names = [name for name in found if len(found) == 1 or name.lower() in folders]
            return _Name(matching_names[0]) if len(matching_names) == 1 else None
        if own and around == own:
            return _Name(own.rpartition("/")[2], own)
    return other


def _names_below(named: Iterable[ObservedCluster]) -> dict[str, Sequence[str]]:
    """The names of the clusters with a file in or below each folder. Azure compares them without case."""
    names: dict[str, dict[str, str]] = {}
    for name, folders in _homes(named).items():
        for folder in folders:
            for around in upwards(folder):
                names.setdefault(around, {}).setdefault(name.lower(), name)
    return {folder: list(own.values()) for folder, own in names.items()}


def _homes(named: Iterable[ObservedCluster]) -> dict[str, set[str]]:
    """The folders with the documents of each cluster."""
    homes: dict[str, set[str]] = {}
    for cluster in named:
        homes.setdefault(cluster.name, set()).add(_folder(cluster))
    return homes


def _has_other_pools(homes: Iterable[str], folder: str, exports: Iterable[str]) -> bool:
    """Whether the cluster in `homes` has running pools there, so that those in `folder` are of another cluster."""
    return not any(_is_below(folder, home) for home in homes) and any(
        _is_below(other, home) for home in homes for other in exports
    )


def _distinct(pools: Mapping[str, Iterable[Observed]]) -> dict[str, str]:
    """Names for the folders in which pools have the same name, but different UIDs: they are exports of clusters."""
    uids: dict[tuple[str, ...], dict[str, str]] = {}
    for folder, own in pools.items():
        for pool in own:
            if pool.uid:
                uids.setdefault(identity_of(pool.body), {})[folder] = pool.uid
    several = [found for found in uids.values() if len(set(found.values())) == len(found) > 1]
    clashing = sorted(set().union(*several))
    names = distinct_names(clashing)
    return dict(zip(clashing, names, strict=True)) if len(set(names)) == len(names) else {}


def _running_pools(clusters: Iterable[ObservedCluster]) -> Iterator[Observed]:
    for cluster in clusters:
        for observed in cluster.objects:
            if observed.live and group_kind(observed.body) in POOLS:
                yield observed


def _has_node_pools(cluster: ObservedCluster) -> bool:
    return any(group_kind(observed.body) in (NODE_POOL, AKS_NODE_CLASS) for observed in cluster.objects)


def _folder(cluster: ObservedCluster) -> str:
    """The folder of the document with a cluster; "" for the directory of the program."""
    span = cluster.objects[0].places.span() if cluster.objects else cluster.azure.span
    return dirname(span.file) if span else ""


def upwards(folder: str) -> Iterator[str]:
    """The folder and those around it, up to the directory of the program or the root."""
    yield folder
    while folder not in ("", "/"):
        folder = dirname(folder)
        yield folder


def _is_below(folder: str, around: str) -> bool:
    return around in upwards(folder)

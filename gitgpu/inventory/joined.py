"""Joins the content of several documents: by the name of the cluster, and by object."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

from gitgpu.access import rows, text_at
from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.inventory.azure_facts import newest
from gitgpu.inventory.clusters_in_azure import name_by_azure
from gitgpu.inventory.folders import name_by_folder
from gitgpu.inventory.observed import Azure, Inventory, Observed, ObservedCluster, Skipped
from gitgpu.inventory.same_clusters import exports_of_one_cluster, unidentified_clusters
from gitgpu.inventory.same_objects import (
    LAYOUT,
    clusters_without_node_pools,
    each_once,
    possibly_one_cluster,
    states_in_azure,
    states_of_one_cluster,
)
from gitgpu.model.names.kinds import MANAGED_CLUSTER, MANAGED_CLUSTERS_AGENT_POOL, NODE_POOL, group_kind
from gitgpu.model.syntax.zones import regions_of_zones

_PLAIN = "cluster"  # the owner of a pool of a cluster without a name


class ImportOptions(NamedTuple):
    """Options of the command line: the name and the region of a cluster whose documents do not have them.

    `named` are the files that the user names, as opposed to directories; None means all. In other files, documents that
    are not recognised are ignored.
    """

    cluster: str = ""
    region: str = ""
    named: frozenset[str] | None = None


class _Notes(NamedTuple):
    """What is found when clusters are joined. The parts of each cluster add to both lists."""

    skipped: list[Skipped]
    faults: list[Diagnostic]


def join(inventory: Inventory, options: ImportOptions) -> Inventory:
    """The clusters in order of name, each once. If there is only one, objects without a cluster belong to it."""
    faults: list[Diagnostic] = list(inventory.faults)
    notes = _Notes(list(inventory.skipped), faults)
    named = _by_name(inventory.clusters, options, faults)
    clusters = [_cluster(name, parts, options, notes) for name, parts in sorted(named.items())]
    faults += states_of_one_cluster(clusters)
    faults += possibly_one_cluster(clusters)
    faults += exports_of_one_cluster(clusters)
    if not any(fault.severity is Severity.ERROR for fault in faults):
        faults += clusters_without_node_pools(clusters)
        faults += unidentified_clusters(clusters)
    return Inventory(tuple(clusters), tuple(sorted(notes.skipped, key=lambda entry: entry.span)), tuple(faults))


def _by_name(
    clusters: Iterable[ObservedCluster], options: ImportOptions, faults: list[Diagnostic]
) -> dict[str, list[ObservedCluster]]:
    """The parts of each cluster by its name."""
    named: dict[str, list[ObservedCluster]] = {}
    first_spelling: dict[str, str] = {}
    distinct = list(_distinct(list(_named_by_owner(list(clusters)))))
    known = list(name_by_azure(distinct))
    several = len({cluster.name.lower() for cluster in known if cluster.name}) > 1
    # The only cluster that the input names is the given one, also if it has a different name in Azure.
    placed = name_by_folder(known, given=options.cluster if several else "")
    for cluster in placed.clusters:
        name = first_spelling.setdefault(cluster.name.lower(), cluster.name)  # Azure compares names without case
        named.setdefault(name, []).append(cluster)
    named = {name: parts for name, parts in named.items() if not all(map(_is_node, parts))}
    if options.cluster and len(named) == 1:
        named = {options.cluster: next(iter(named.values()))}
    unknown_clusters = [cluster for cluster in placed.unknown if not _is_node(cluster)]
    if unknown_clusters:
        faults += _unassigned(unknown_clusters, sorted(named))
        named.setdefault("", []).extend(unknown_clusters)
    return named


def _is_node(part: ObservedCluster) -> bool:
    """Whether a part of a cluster is only one of its nodes, which are not imported."""
    return not part.objects and _is_of_node(part.azure)


def _is_of_node(facts: Azure) -> bool:
    return bool(facts.node_groups) and facts == Azure(span=facts.span, node_groups=facts.node_groups)


def _named_by_owner(clusters: Sequence[ObservedCluster]) -> Iterator[ObservedCluster]:
    """The clusters. A pool of Azure Service Operator names its cluster by the object that creates the cluster."""
    owners: dict[tuple[str, str], str] = {}
    for cluster in clusters:
        for observed in cluster.objects:
            if observed.body["kind"] == MANAGED_CLUSTER.kind:
                owners[_namespace(observed), text_at(observed.body, "metadata", "name")] = cluster.name
    for cluster in clusters:
        pool = next(
            (observed for observed in cluster.objects if observed.body["kind"] == MANAGED_CLUSTERS_AGENT_POOL.kind),
            None,
        )
        owner = text_at(pool.body, "spec", "owner", "name") if pool else ""
        if pool and owner:
            yield cluster._replace(name=owners.get((_namespace(pool), owner), cluster.name))
        else:
            yield cluster


def _namespace(observed: Observed) -> str:
    return text_at(observed.body, "metadata", "namespace")


def _distinct(clusters: Sequence[ObservedCluster]) -> Iterator[ObservedCluster]:
    """The clusters. If two resource groups have clusters with the same name, the group is added to their names."""
    resource_ids: dict[str, set[str]] = {}
    for cluster in clusters:
        resource_ids.setdefault(cluster.name.lower(), set()).update([(cluster.azure.resource_id or "").lower()])
    for cluster in clusters:
        resource = cluster.azure.resource_id or ""
        shared = len(resource_ids[cluster.name.lower()] - {""}) > 1
        if cluster.name and shared and resource:
            _, _, _, _, group, *_ = resource.split("/")  # /subscriptions/ID/resourceGroups/GROUP/...
            yield cluster._replace(name=f"{cluster.name}-{group}")
        else:
            yield cluster


def _unassigned(nameless: Iterable[ObservedCluster], names: list[str]) -> Iterator[Diagnostic]:
    """The faults for objects that do not name a cluster although there are several, one for each file."""
    files: dict[str, Observed] = {}
    for cluster in nameless:
        for observed in cluster.objects:
            files.setdefault(observed.places.span().file, observed)
    for observed in files.values():
        message = f"these objects do not identify their cluster, but the input has {len(names)}: {', '.join(names)}"
        remedy = f"import this file alone, with `--cluster {names[0]}` or the name of its cluster, or {LAYOUT}"
        yield Diagnostic("IMP005", Severity.ERROR, message, remedy, observed.places.span())


def _cluster(name: str, parts: list[ObservedCluster], options: ImportOptions, notes: _Notes) -> ObservedCluster:
    objects = each_once(chain.from_iterable(part.objects for part in parts), *notes)
    notes.faults.extend(states_in_azure(name, [part.azure for part in parts]))
    azure = _azure([part.azure for part in parts])
    if azure.region is None:
        azure = azure._replace(region=options.region or region_of_node_pools(objects))
    if azure.resource_id is None:
        azure = azure._replace(resource_id=_resource_id(objects))
    owner = {"armId": azure.resource_id} if azure.resource_id else {"name": name or _PLAIN}
    folder = "" if any(part.name and not part.folder for part in parts) else parts[0].folder
    return ObservedCluster(name, azure, tuple(_owned(observed, owner) for observed in objects), folder)


def _owned(observed: Observed, owner: Mapping[str, str]) -> Observed:
    """A node pool with its cluster as owner, as in the operator's kind. Its document may not name the cluster."""
    spec = observed.body.get("spec")
    if observed.body["kind"] != MANAGED_CLUSTERS_AGENT_POOL.kind or not isinstance(spec, dict) or "owner" in spec:
        return observed
    return observed._replace(body={**observed.body, "spec": {**spec, "owner": dict(owner)}})


def _azure(parts: list[Azure]) -> Azure:
    """The facts in all parts. For each fact, the first part that has it decides."""

    def first(key: str) -> Any:
        values = (getattr(part, key) for part in parts)
        return next((value for value in values if value not in (None, {})), None)

    addons: dict[str, Any] = {}
    for part in reversed(parts):
        addons |= part.addons
    return Azure(
        region=first("region"),
        kubernetes=first("kubernetes"),
        resource_id=first("resource_id"),
        provisioner=first("provisioner"),
        sku=first("sku"),
        network=first("network") or {},
        addons=addons,
        labels=first("labels") or {},
        span=next((part.span for part in parts if part.span and not _is_of_node(part)), None),
        classes_version=newest(filter(None, (part.classes_version for part in parts))),
        keeps=first("keeps") or {},
        excluded=first("excluded"),
        makes_pools=any(part.makes_pools for part in parts),
        hosts=frozenset().union(*(part.hosts for part in parts)),
        node_groups=frozenset().union(*(part.node_groups for part in parts)),
    )


def _resource_id(objects: Iterable[Observed]) -> str | None:
    ids = {
        text_at(observed.body, "spec", "owner", "armId")
        for observed in objects
        if observed.body["kind"] == MANAGED_CLUSTERS_AGENT_POOL.kind
    }
    ids.discard("")
    return ids.pop() if len(ids) == 1 else None


def region_of_node_pools(objects: Iterable[Observed]) -> str | None:
    """The region in the zones that NodePools require (such as swedencentral-1); None if there is none or several."""
    regions: set[str] = set()
    for observed in objects:
        if group_kind(observed.body) == NODE_POOL:
            regions |= regions_of_zones(rows(observed.body, "spec", "template", "spec", "requirements"))
    return regions.pop() if len(regions) == 1 else None

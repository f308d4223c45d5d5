"""Documents to linked values: defaults merged, names resolved, sizes chosen. Every unresolved name is a fault."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from typing import Any, TypeVar

from gitgpu.diagnostic import Diagnostic, Problem, Severity
from gitgpu.load.spec.normalise import merge
from gitgpu.load.spec.shape import KINDS, Document, fleet_schema
from gitgpu.model import decode
from gitgpu.model.catalog import Catalog
from gitgpu.model.fleet import Cluster, Model, Pool, Workload
from gitgpu.model.inputs import Inputs
from gitgpu.model.linking.clusters import Clusters, pool_defaults, same_defaults
from gitgpu.model.linking.faults import Faults, fault
from gitgpu.model.linking.normaliser import normaliser_of
from gitgpu.model.linking.patches import patches_of
from gitgpu.model.linking.pools import PoolFinder
from gitgpu.model.linking.rings import ring_by_cluster, ring_faults, rings_of
from gitgpu.model.linking.teams import TeamFinder, unknown_teams
from gitgpu.model.linking.unique import unique
from gitgpu.model.linking.workloads import WorkloadFinder, known_pools
from gitgpu.model.spec.origin import Layer
from gitgpu.model.spec.team import Team
from gitgpu.model.subscriptions import mixed_regions

Linked = TypeVar("Linked")
Placed = TypeVar("Placed", Pool, Team)


def link(documents: Sequence[Document], catalog: Catalog, today: str = "") -> tuple[Inputs | None, Faults]:
    """The linked fleet, or None without a valid Fleet document; and all faults of linking."""
    faults: Faults = []
    by_kind: dict[str, list[Document]] = {}
    names: dict[str, set[str]] = {}
    for kind in KINDS:
        by_kind[kind], names[kind] = unique(kind, documents, faults)
    fleet = next(iter(by_kind["Fleet"]), None)
    faults += _fleet_faults(documents, by_kind["Fleet"])
    if not fleet or not fleet.sound:
        return None, faults
    clusters = link_clusters(by_kind["Cluster"], names["Cluster"], fleet)
    faults += ring_faults(fleet, clusters)
    catalog = _without_mixed_lists(catalog, clusters.sound)
    pools = tuple(_linked(by_kind["GpuPool"], PoolFinder(clusters, catalog, faults).pools))
    known = known_pools(by_kind["GpuPool"], pools, names["GpuPool"])
    placed = list(_linked(by_kind["GpuWorkload"], WorkloadFinder(clusters, known, faults).workloads))
    teams = tuple(_linked(by_kind["GpuTeam"], TeamFinder(clusters, known, catalog, faults).teams))
    faults += unknown_teams(by_kind["GpuWorkload"], names["GpuTeam"])
    inputs = Inputs(
        fleet=decode.fleet(fleet),
        clusters=tuple(clusters.sound),
        pools=pools,
        workloads=tuple(workload for workload in placed if isinstance(workload, Workload)),
        catalog=catalog,
        on=_by_cluster(pools),
        today=today,
        models=tuple(workload for workload in placed if isinstance(workload, Model)),
        teams=teams,
        teams_by_cluster=_by_cluster(teams),
    )
    return inputs, faults


def _without_mixed_lists(catalog: Catalog, clusters: Iterable[Cluster]) -> Catalog:
    """The catalog without Azure's lists for regions in which the clusters belong to several subscriptions."""
    mixed = [region for region in mixed_regions(clusters) if catalog.facts("availability", region)]
    return Catalog(catalog.files, mixed) if mixed else catalog


def _fleet_faults(documents: Sequence[Document], fleets: Sequence[Document]) -> Iterator[Diagnostic]:
    """The faults that there is no Fleet, or several. Without any document, reading has failed and is reported."""
    if documents and not fleets:
        remedy = "create one document of kind: Fleet with spec.delivery"
        yield Diagnostic("LNK001", Severity.ERROR, "no Fleet document", remedy, documents[0].places.span())
    for extra in fleets[1:]:
        first = fleets[0].places.span()
        yield fault("LNK002", extra, ("kind",), Problem(f"duplicate Fleet; the first is at {first}", "keep one"))


def _linked(documents: Iterable[Document], link: Callable[[Document], Iterable[Linked]]) -> Iterator[Linked]:
    for document in documents:
        if document.sound:
            yield from link(document)


def link_clusters(documents: Sequence[Document], names: set[str], fleet: Document) -> Clusters:
    """The clusters with the defaults of their rings and of the fleet merged in."""
    sound = [document for document in documents if document.sound]
    defaults = {document.ref.name: pool_defaults(document, fleet) for document in sound}
    rings = ring_by_cluster(sound, fleet)
    clusters = tuple(_cluster(document, fleet, rings.get(document.ref.name)) for document in sound)
    return Clusters(clusters, names, len(sound) == len(documents), defaults, same_defaults(defaults))


def cluster_layers(cluster: Document, fleet: Document, ring: int | None) -> tuple[Layer, ...]:
    """The defaults of a Cluster, highest precedence first: from its ring, then from the Fleet."""
    shared, origin = fleet.data["spec"], decode.origin(fleet)
    delivery = _delivery(cluster.data["spec"].get("delivery", {}), shared["delivery"])
    registry = {key: shared[key] for key in ("registry",) if key in shared}
    layers = (
        Layer(origin, ("spec", "defaults"), _stack(shared.get("defaults", {}))),
        Layer(origin, ("spec",), {"delivery": delivery, **registry}),
    )
    if ring is None:
        return layers
    own_ring = rings_of(fleet)[ring]
    return Layer(origin, ("spec", "rings", ring), _stack(own_ring), f"ring {own_ring['name']}"), *layers


def _by_cluster(placed: Iterable[Placed]) -> dict[str, tuple[Placed, ...]]:
    """The pools or teams of each cluster, in order of name."""
    by_cluster: dict[str, list[Placed]] = {}
    for part in placed:
        for name in part.clusters:
            by_cluster.setdefault(name, []).append(part)
    return {name: tuple(parts) for name, parts in by_cluster.items()}


def _cluster(document: Document, fleet: Document, ring: int | None) -> Cluster:
    layers, written = cluster_layers(document, fleet, ring), document.data["spec"]
    merged = reduce(merge, (layer.values for layer in layers), written)
    decoded = decode.cluster(document, normaliser_of("Cluster")(merged))
    return decoded._replace(
        origin=decoded.origin._replace(defaults=layers),
        ring="" if ring is None else rings_of(fleet)[ring]["name"],
        values=tuple(_values((Layer(decoded.origin, ("spec",), written), *layers))),
        patches=patches_of(document, written),
    )


def _values(layers: Sequence[Layer]) -> Iterator[Layer]:
    """The chart values in the layers of a cluster, lowest precedence first."""
    for layer in reversed(layers):
        if values := layer.values.get("stack", {}).get("values"):
            yield layer._replace(at=(*layer.at, "stack", "values"), values=values)


def _stack(written: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"stack": written.get("stack", {})}


def _delivery(own: Mapping[str, Any], shared: Mapping[str, Any]) -> Mapping[str, Any]:
    """What a cluster inherits from the fleet. With another engine, not the namespace, which depends on the engine."""
    default = shared.get("engine", fleet_schema()["definitions"]["delivery"]["properties"]["engine"]["default"])
    if own.get("engine", default) == default:
        return shared
    return {key: value for key, value in shared.items() if key != "namespace"}

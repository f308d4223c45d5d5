"""A fleet, or any manifests, to forecasts: which objects a cluster would have, and where its pods would run.

A fleet is compiled first, in memory. From there on, its manifests are treated like those of a directory.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from gitgpu.conform import Norms, norms
from gitgpu.conform.grouping.applied import as_applied
from gitgpu.conform.grouping.applied_together import group_files
from gitgpu.conform.grouping.groups import title
from gitgpu.conform.grouping.unsubstituted import substituted, waiting
from gitgpu.conform.node.node_pools import is_for_aks
from gitgpu.conform.objects import NODE_POOL, Given, Identity, Item, Objects, identity
from gitgpu.conform.schema.contract import Scope
from gitgpu.diagnostic import Diagnostic
from gitgpu.emit import emit, emitters
from gitgpu.emit.manifest import Manifest, Role
from gitgpu.emit.node.agent_pool import node_pool_manifests
from gitgpu.emit.places import rebased
from gitgpu.load.manifest.manifests import Manifests
from gitgpu.load.manifest.objects import is_ours
from gitgpu.load.schemas import Schemas
from gitgpu.model.catalog import Catalog
from gitgpu.model.fleet import Cluster
from gitgpu.model.inputs import Inputs
from gitgpu.model.spec.origin import SpecObject
from gitgpu.patch import patched
from gitgpu.patch.scope import namespace_of
from gitgpu.plan import plan
from gitgpu.simulate import Setup, simulate
from gitgpu.simulate.explain.admission import POOLS, admitted, counts, refusing
from gitgpu.simulate.explain.forecast import Forecast
from gitgpu.simulate.explain.region import region_of
from gitgpu.simulate.explain.spec_terms import SpecTerms
from gitgpu.simulate.pod.patches import overlaid
from gitgpu.source import SourceMap, Span

_MOST_PODS = 110  # Karpenter's default for networks that the catalog does not have


class Assumptions(NamedTuple):
    """Facts that the manifests do not contain: spot prices by size, requests of other DaemonSets, region, version.

    `crds` are those that the cluster runs, if known.
    """

    spot: Mapping[str, float]
    overhead: Mapping[str, Decimal]
    region: str
    kubernetes: str
    crds: tuple[dict[str, Any], ...] = ()


class _Shared(NamedTuple):
    """What all clusters of a run share. `rejecting` are the norms that decide whether a kind is rejected."""

    catalog: Catalog
    norms: Norms
    rejecting: Mapping[str, Norms]
    assumptions: Assumptions


def of_fleet(
    inputs: Inputs, clusters: Sequence[Cluster], beside: Manifests, assumptions: Assumptions
) -> Iterator[Forecast]:
    """The forecast of each cluster of a fleet without errors. Workloads in `beside` are tried on every cluster."""
    shared = _shared(inputs.catalog, assumptions)
    using = emitters()
    for cluster in clusters:
        planned = plan(inputs, cluster)
        built = patched(emit(planned, using), planned).manifests
        manifests = [manifest for manifest in built if not manifest.layer.by_hand]  # Jobs of `verify` end soon
        minor = shared.norms.contracts.clamp(cluster.kubernetes)
        terms = _spec_terms(inputs, cluster)
        emitted = _emitted(manifests, terms, minor, shared)
        emitted += [_by_commands(_given(manifest, terms)) for manifest in node_pool_manifests(planned, beyond=True)]
        given, refused = _items(beside, minor, shared)
        overlays = (manifest for manifest in manifests if manifest.role is Role.PATCH)
        patches = [(_given(manifest, terms), namespace_of(manifest)) for manifest in overlays]
        workloads, bare = overlaid(patches, given)
        facts = cluster.name, cluster.region, _max_pods(cluster, inputs.catalog)
        setup = Setup(*facts, assumptions.spot, assumptions.overhead, bare, tuple(refused))
        yield simulate(_objects([*emitted, *workloads], shared, minor), setup)


def of_manifests(pools: Manifests, beside: Manifests, catalog: Catalog, assumptions: Assumptions) -> Iterator[Forecast]:
    """The forecast of each group of manifests that are applied together and contain node pools."""
    shared = _shared(catalog, assumptions)
    minor = shared.norms.contracts.clamp(assumptions.kubernetes)
    given, refused = _items(beside, minor, shared)
    for name, members in _clusters(pools, minor, shared):
        items = [item for item, _ in members]
        passed = {item.identity for item in given}
        wrong = [(item.identity, fault) for item, fault in members if fault and counts(item)]
        others = [item for item in items if item.identity not in passed]
        objects = _objects([*others, *given], shared, minor)
        region = assumptions.region or region_of(items)
        facts = name, region, int(catalog.must("networks", "azure-overlay")["maxPods"])  # the default of a spec
        yield simulate(objects, Setup(*facts, assumptions.spot, assumptions.overhead, frozenset(), (*wrong, *refused)))


def _shared(catalog: Catalog, assumptions: Assumptions) -> _Shared:
    used = norms(Schemas(), catalog, crds=assumptions.crds)
    return _Shared(catalog, used, refusing(used), assumptions)


def _emitted(
    manifests: Iterable[Manifest], terms: Mapping[SpecObject, SpecTerms], minor: str, shared: _Shared
) -> list[Item]:
    """The objects that gitgpu emits for a cluster, without patches."""
    items = []
    for manifest in manifests:
        if manifest.role is Role.RESOURCE:
            item, _ = admitted(_given(manifest, terms), minor, shared.rejecting)
            items.append(item)
    return items


def _clusters(
    manifests: Manifests, minor: str, shared: _Shared
) -> Iterator[tuple[str, list[tuple[Item, Diagnostic | None]]]]:
    files = {name: file.objects for name, file in manifests.files.items()}
    unfilled = waiting(manifests)
    for group in group_files(manifests).groups:
        members = []
        for part in group.parts:
            for loaded in files.get(part.file, ()):
                given = None if is_ours(loaded.body) else substituted(loaded, part, unfilled)
                if given:
                    item, fault = admitted(given, minor, shared.rejecting)
                    members.append((as_applied(item, loaded, part), fault))
        if any(_is_pool(item) for item, _ in members):
            yield group.name or title([part.file for part in group.parts]), members


def _is_pool(item: Item) -> bool:
    """Whether the object creates AKS nodes. An object that cannot be read counts as one, so that it is reported."""
    kind = (item.identity.group, item.identity.kind)
    if item.is_patch or kind not in POOLS:
        return False
    return kind != NODE_POOL or not item.sound or is_for_aks(item.body)


def _items(manifests: Manifests, minor: str, shared: _Shared) -> tuple[list[Item], list[tuple[Identity, Diagnostic]]]:
    """The objects of some files, each once, and those that the API server would reject."""
    files = {name: file.objects for name, file in manifests.files.items()}
    items: dict[tuple[Identity, Span], Item] = {}
    refused: dict[Identity, Diagnostic] = {}
    unfilled = waiting(manifests)
    for group in group_files(manifests).groups:
        for part in (part for part in group.parts if not part.patch):
            for loaded in files.get(part.file, ()):
                given = None if is_ours(loaded.body) else substituted(loaded, part, unfilled)
                if given is None:
                    continue
                item, fault = admitted(given, minor, shared.rejecting)
                item = as_applied(item, loaded, part)
                items.setdefault((item.identity, loaded.places.span()), item)
                if fault and counts(item):
                    refused.setdefault(item.identity, fault)
    return list(items.values()), list(refused.items())


def _objects(items: Iterable[Item], shared: _Shared, minor: str) -> Objects:
    every = tuple(items)
    sound = tuple(item for item in every if item.sound)
    present = frozenset(item.identity for item in every if not item.is_patch)
    facts = shared.catalog, shared.norms.kinds, minor
    return Objects(sound, present, *facts, closed=False, lasting=shared.norms.lasting)


def _given(manifest: Manifest, terms: Mapping[SpecObject, SpecTerms]) -> Given:
    """A manifest that gitgpu emitted, with the places of the spec that it comes from."""
    start = manifest.origin
    places = rebased(manifest.places, terms.get(start) or SourceMap.of(start.span))
    return Given(manifest.body, places, manifest.role is Role.PATCH)


def _by_commands(given: Given) -> Item:
    """A pool that is created with commands: the API server of the cluster never validates it."""
    return Item(given, identity(given.body), Scope.NAMESPACED)


def _spec_terms(inputs: Inputs, cluster: Cluster) -> dict[SpecObject, SpecTerms]:
    """The documents of the cluster's pools and workloads by object."""
    pools = {pool.origin.mark: SpecTerms(pool.origin.places, pool.retire) for pool in inputs.pools_on(cluster)}
    workloads = inputs.workloads_on(cluster)
    return pools | {workload.origin.mark: SpecTerms(workload.origin.places) for workload in workloads}


def _max_pods(cluster: Cluster, catalog: Catalog) -> int:
    """The maximum number of pods on a node whose node class does not set it: the default of the network plugin."""
    plugin, mode = cluster.network["plugin"], cluster.network["mode"]
    for row in catalog.rows("networks").values():
        if row["plugin"] == plugin and row["mode"] in (None, mode):
            return int(row["maxPods"])
    return _MOST_PODS

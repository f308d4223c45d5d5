"""A fleet, or any manifests, to forecasts: which objects a cluster would have, and where its pods would run.

A fleet is compiled first, in memory. From there on, its manifests are treated like those of a directory.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import cache, partial
from itertools import chain
from typing import Any, NamedTuple, Self

from gitgpu.counting import Count, counting, no_count
from gitgpu.emit import emit, emitters
from gitgpu.emit.emitter import Emitter
from gitgpu.emit.manifest import Manifest, Role
from gitgpu.emit.node.agent_pool import node_pool_manifests
from gitgpu.load.schemas import Schemas
from gitgpu.model.catalog import Catalog
from gitgpu.model.fleet import Cluster
from gitgpu.model.inputs import Inputs
from gitgpu.model.software.cluster_releases import Versions, cluster_releases
from gitgpu.model.spec.origin import SpecObject
from gitgpu.model.syntax.version import version
from gitgpu.objects.grouping.applied_together import group_files
from gitgpu.objects.installed_releases import installed_releases, newer_installed_definitions
from gitgpu.objects.manifest.manifests import Manifests
from gitgpu.objects.node.automatic import with_safeguards
from gitgpu.objects.norms import Norms
from gitgpu.objects.objects import Given, Item, Objects, identity
from gitgpu.objects.safeguards import Safeguards
from gitgpu.objects.schema.contract import Scope
from gitgpu.objects.validation.contract_check import releases_in_question
from gitgpu.patch import apply_patches
from gitgpu.patch.scope import namespace_of
from gitgpu.plan.cluster_plan import plan
from gitgpu.rules.norms import norms
from gitgpu.runs.fleet_objects import places_of, spec_terms
from gitgpu.runs.lint_azure import azure_files
from gitgpu.simulate import Setup, simulate
from gitgpu.simulate.admission import POOLS, admit, rejection_norms
from gitgpu.simulate.applied_files import clusters_in, items_for, refused_objects, workload_groups
from gitgpu.simulate.explain.spec_terms import SpecTerms
from gitgpu.simulate.forecast import Forecast
from gitgpu.simulate.kubernetes_versions import stated_versions
from gitgpu.simulate.pod.patches import apply_overlays, rejections
from gitgpu.simulate.region import region_of, region_of_nodes
from gitgpu.simulate.setup import Refused, Teams

_DEFAULT_MAX_PODS = 110  # Karpenter's default for networks that the catalog does not have


class Assumptions(NamedTuple):
    """Facts that the manifests do not contain: spot prices by size, requests of other DaemonSets, region, version.

    `crds` are those that the cluster runs, and `versions` the versions of projects such as "karpenter", if known.
    """

    spot: Mapping[str, float]
    overhead: Mapping[str, Decimal]
    region: str
    kubernetes: str
    crds: tuple[dict[str, Any], ...] = ()
    versions: Versions = ()


class _Shared(NamedTuple):
    """What clusters share that run the same software. `rejecting` are the norms that decide what is rejected."""

    catalog: Catalog
    norms: Norms
    rejecting: Norms
    assumptions: Assumptions

    def running(self, versions: Versions) -> Self:
        """The same for a cluster that runs these versions of projects."""
        return self.with_norms(replace(self.norms, versions=versions))

    def with_norms(self, norms: Norms) -> Self:
        """The same with other norms."""
        return self._replace(norms=norms, rejecting=rejection_norms(norms))


def of_fleet(
    inputs: Inputs, clusters: Iterable[Cluster], workloads: Manifests, assumptions: Assumptions
) -> Iterator[Forecast]:
    """The forecast of each cluster of a fleet without errors. `workloads` are tried on every cluster."""
    shared, using = _shared(inputs.catalog, assumptions, inputs.today), emitters()
    for cluster in clusters:
        yield _forecast(inputs, cluster, workloads, shared.running(cluster_releases(inputs, cluster)), using)


def _forecast(
    inputs: Inputs, cluster: Cluster, workloads: Manifests, shared: _Shared, using: Sequence[Emitter]
) -> Forecast:
    """The forecast of a cluster of a fleet: of what gitgpu emits for it, and of the workloads with its patches."""
    minor = shared.norms.contracts.clamp(cluster.kubernetes)
    cluster_plan, terms = plan(inputs, cluster), spec_terms(inputs, cluster)
    built = apply_patches(emit(cluster_plan, using), cluster_plan).manifests
    manifests = [manifest for manifest in built if not manifest.layer.by_hand]  # Jobs of `verify` end soon
    emitted = _emitted_objects(manifests, terms, minor, shared)
    emitted += [_by_commands(_given(manifest, terms)) for manifest in node_pool_manifests(cluster_plan, beyond=True)]
    items, refused = _workload_items(inputs, workloads, minor, shared)
    overlays = (manifest for manifest in manifests if manifest.role is Role.PATCH)
    patches = [(_given(manifest, terms), namespace_of(manifest)) for manifest in overlays]
    patched_items, bare = apply_overlays(patches, items)
    broken = list(rejections(items, patched_items))
    refused += refused_objects(broken)
    rejected = {item.identity for item, _ in broken}
    accepted_items = [item for item in patched_items if item.identity not in rejected]
    objects = _objects([*emitted, *accepted_items], shared, minor)
    safeguards = Safeguards(cluster.excluded) if cluster.is_automatic else None
    setup = _setup(cluster.name, cluster.region, _max_pods(cluster, inputs.catalog), shared)
    hardened = _is_hardened(cluster.kubernetes, inputs.catalog)
    setup = setup._replace(bare=bare, refused=tuple(refused), hardened=hardened, teams=_teams(inputs, cluster))
    return simulate(replace(objects, safeguards=safeguards, sorted={}, cache={}), setup)


def _workload_items(
    inputs: Inputs, workloads: Manifests, minor: str, shared: _Shared
) -> tuple[list[Item], list[Refused]]:
    """The objects of the workloads that the API server would accept, and those that it would reject."""
    items, refused = items_for(workload_groups(workloads, minor, shared.rejecting), (), ())
    if len(inputs.clusters) > 1:  # the spec has the pools of all its clusters; each is on some of them
        items = [item for item in items if item.identity[:2] not in POOLS]
        refused = [entry for entry in refused if entry.identity[:2] not in POOLS]
    return items, refused


def of_manifests(
    pools: Manifests, workloads: Manifests, catalog: Catalog, assumptions: Assumptions, count: Count = no_count
) -> Iterator[Forecast]:
    """The forecast of each group of manifests that are applied together and contain node pools.

    An object in `workloads` replaces the object of the same name among the pools.
    """
    shared = _shared(catalog, assumptions)
    installed = dict(installed_releases(group_files(pools).groups, pools, shared.norms.contracts))
    shared = shared.with_norms(
        replace(
            shared.norms,
            versions=tuple((installed | dict(assumptions.versions)).items()),
            find_definitions=cache(partial(newer_installed_definitions, pools, shared.norms.contracts)),
        )
    )
    minor = shared.norms.contracts.clamp(assumptions.kubernetes)
    groups = workload_groups(workloads, minor, shared.rejecting)
    clusters = list(clusters_in(pools, minor, shared.rejecting))
    of_azure = azure_files(pools).only_automatic() if len(clusters) == 1 else None
    max_pods = int(catalog.must("networks", "azure-overlay")["maxPods"])  # the default network of a spec
    for name, members in counting(clusters, count):
        elsewhere = chain.from_iterable(other for _, other in clusters if other is not members)
        workload_items, refused = items_for(groups, members, elsewhere)
        replacing = {item.identity for item in workload_items} | {entry.identity for entry in refused}
        items = [member.item for member in members]
        judged = ((member.item, member.fault) for member in members if member.item.identity not in replacing)
        wrong = refused_objects(judged)
        other_items = [item for item in items if item.identity not in replacing]
        objects = with_safeguards(_objects([*other_items, *workload_items], shared, minor), of_azure)
        setup = _setup(name, assumptions.region or region_of(items) or region_of_nodes(items), max_pods, shared)
        hardened = any(_is_hardened(stated, catalog) for stated in stated_versions(items))
        yield simulate(objects, setup._replace(refused=(*wrong, *refused), hardened=hardened))


def _teams(inputs: Inputs, cluster: Cluster) -> Teams:
    """The teams of a cluster's workloads: those that a workload names, and those of namespaces."""
    named: dict[tuple[str, str], str] = {}
    for workload in inputs.workloads_on(cluster):
        if workload.team and (team := inputs.team_of(workload, cluster)):
            named[workload.namespace, workload.target_name] = team.name
    by_namespace: dict[str, str] = {}
    for team in inputs.teams_on(cluster):
        by_namespace.update(dict.fromkeys(team.namespaces, team.name))
    return Teams(named, by_namespace)


def _is_hardened(kubernetes: str, catalog: Catalog) -> bool:
    """Whether AKS hardens nodes of a Kubernetes version."""
    return version(kubernetes) >= version(catalog.must("kubelets", "aks")["hardenedSince"])


def _setup(name: str, region: str, max_pods: int, shared: _Shared) -> Setup:
    given, karpenter = shared.assumptions, releases_in_question("karpenter", shared.norms).running
    return Setup(name, region, max_pods, given.spot, given.overhead, karpenter=karpenter)


def _shared(catalog: Catalog, assumptions: Assumptions, today: str = "") -> _Shared:
    used = norms(Schemas(), catalog, today, assumptions.crds)
    return _Shared(catalog, used, rejection_norms(used), assumptions)


def _emitted_objects(
    manifests: Iterable[Manifest], terms: Mapping[SpecObject, SpecTerms], minor: str, shared: _Shared
) -> list[Item]:
    """The objects that gitgpu emits for a cluster, without patches."""
    resources = [_given(manifest, terms) for manifest in manifests if manifest.role is Role.RESOURCE]
    return [item for item, _ in (admit(resource, minor, shared.rejecting) for resource in resources)]


def _objects(items: Collection[Item], shared: _Shared, minor: str) -> Objects:
    sound = tuple(item for item in items if item.sound)
    present = frozenset(item.identity for item in items if not item.is_patch)
    kinds, cache = shared.norms.kinds, shared.norms.run_cache
    return Objects(sound, present, shared.catalog, kinds, minor, closed=False, run_cache=cache)


def _given(manifest: Manifest, terms: Mapping[SpecObject, SpecTerms]) -> Given:
    """A manifest that gitgpu emitted, with the places of the spec that it comes from."""
    return Given(manifest.body, places_of(manifest, terms), manifest.role is Role.PATCH)


def _by_commands(given: Given) -> Item:
    """A pool that is created with commands: the API server of the cluster never validates it."""
    return Item(given, identity(given.body), Scope.NAMESPACED)


def _max_pods(cluster: Cluster, catalog: Catalog) -> int:
    """The maximum number of pods on a node whose node class does not set it: the default of the network plugin."""
    plugin, mode = cluster.network["plugin"], cluster.network["mode"]
    for row in catalog.rows("networks").values():
        if row["plugin"] == plugin and row["mode"] in (None, mode):
            return int(row["maxPods"])
    return _DEFAULT_MAX_PODS

"""The inputs of a build: the linked fleet and the catalog."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from gitgpu.model.catalog import Catalog
from gitgpu.model.fleet import Cluster, Model, Pool, Workload
from gitgpu.model.spec.fleet import Fleet
from gitgpu.model.spec.team import Team


class Inputs(NamedTuple):
    """The fleet, its parts in order of name, and the catalog. All names in it have been resolved.

    `on` has the pools of each cluster, and `teams_by_cluster` its teams. `today` is the day to compare announced dates
    with, such as 2027-06-30, or "".
    """

    fleet: Fleet
    clusters: tuple[Cluster, ...]
    pools: tuple[Pool, ...]
    workloads: tuple[Workload, ...]
    catalog: Catalog
    on: Mapping[str, tuple[Pool, ...]]
    today: str = ""
    models: tuple[Model, ...] = ()
    teams: tuple[Team, ...] = ()
    teams_by_cluster: Mapping[str, tuple[Team, ...]] = {}

    @property
    def rings(self) -> Mapping[str, tuple[str, ...]]:
        """The names of the clusters of each ring of the fleet, in order."""
        by_ring: dict[str, list[str]] = {ring: [] for ring in self.fleet.rings}
        for cluster in self.clusters:
            if cluster.ring in by_ring:
                by_ring[cluster.ring].append(cluster.name)
        return {ring: tuple(names) for ring, names in by_ring.items()}

    @property
    def nodepools(self) -> tuple[Pool, ...]:
        """The pools whose nodes Karpenter creates."""
        return tuple(pool for pool in self.pools if pool.by_karpenter)

    def has_karpenter(self, cluster: Cluster) -> bool:
        """Whether a cluster has node auto-provisioning: by default for its pools, or for one of them."""
        return cluster.brings_karpenter or any(pool.by_karpenter for pool in self.pools_on(cluster))

    @property
    def is_adjusted(self) -> bool:
        """Whether the fleet has chart values or patches."""
        if any(cluster.values or cluster.patches for cluster in self.clusters):
            return True
        placed: Sequence[Pool | Workload | Model | Team] = (*self.pools, *self.workloads, *self.models, *self.teams)
        return any(map(_has_patches, placed))

    def adjusts(self, cluster: Cluster) -> bool:
        """Whether a cluster has chart values, or patches for itself, its pools or its workloads."""
        placed: list[Pool | Workload | Model | Team] = [*self.pools_on(cluster), *self.workloads_on(cluster)]
        placed += [*self.models_on(cluster), *self.teams_on(cluster)]
        return bool(cluster.values or cluster.patches) or any(map(_has_patches, placed))

    def catalog_for(self, cluster: Cluster) -> Catalog:
        """The facts about a cluster: charts and images in the versions that its stack pins."""
        return self.catalog.with_pins(cluster.stack.versions)

    def knows_version(self, cluster: Cluster, software: str) -> bool:
        """Whether the catalog has the version of a chart or image that a cluster pins. True without a pin.

        If it does not, `catalog_for` has the facts of the newest version.
        """
        pin = cluster.stack.versions.get(software)
        return pin is None or pin in self.catalog.versions(software)

    def pools_on(self, cluster: Cluster) -> tuple[Pool, ...]:
        """The pools of a cluster, in order of name."""
        return self.on.get(cluster.name, ())

    def placements(self) -> Iterator[tuple[Cluster, Pool]]:
        """Every pool on every cluster that has it."""
        for cluster in self.clusters:
            for pool in self.pools_on(cluster):
                yield cluster, pool

    def pools_of(self, workload: Workload | Model) -> tuple[Pool, ...]:
        """The pools that a workload may run on, in order of name. Retiring pools count only if there is no other."""
        pools = self.pools_named(workload)
        staying: set[str] = set()
        for pool in pools:
            if not pool.retire:
                staying.update(pool.clusters)
        return tuple(pool for pool in pools if not (pool.retire and staying.issuperset(pool.clusters)))

    def pools_named(self, workload: Workload | Model) -> tuple[Pool, ...]:
        """The pools that a workload names, in order of name, with only those clusters that the workload has.

        If its pools differ between clusters, there are several workloads, so each of them finds a name once.
        """
        pools: list[Pool] = []
        for name in sorted(set(workload.pools)):
            pools += self._of_name(name)
        if workload.clusters is None:
            return tuple(pools)
        here: list[Pool] = []
        for pool in pools:
            clusters = tuple(name for name in pool.clusters if name in workload.clusters)
            if clusters:
                here.append(pool._replace(clusters=clusters))
        return tuple(here)

    def _of_name(self, name: str) -> tuple[Pool, ...]:
        first = last = bisect_left(self.pools, name, key=_name)
        while last < len(self.pools) and self.pools[last].name == name:
            last += 1
        return self.pools[first:last]

    def clusters_named(self, names: Iterable[str]) -> tuple[Cluster, ...]:
        """The clusters with these names, in order of name. Binary search, since many workloads name few of many."""
        clusters: list[Cluster] = []
        for name in sorted(set(names)):
            index = bisect_left(self.clusters, name, key=_name)
            if index < len(self.clusters) and self.clusters[index].name == name:
                clusters.append(self.clusters[index])
        return tuple(clusters)

    def workloads_on(self, cluster: Cluster) -> tuple[Workload, ...]:
        """The workloads that may run on a cluster, in the variant for it."""
        return tuple(workload for workload in self.workloads if _may_be_on(workload, cluster))

    def models_on(self, cluster: Cluster) -> tuple[Model, ...]:
        """The models that may run on a cluster, in the variant for it."""
        return tuple(model for model in self.models if _may_be_on(model, cluster))

    def teams_on(self, cluster: Cluster) -> tuple[Team, ...]:
        """The teams that have a quota on a cluster, in the variant for it, in order of name."""
        return self.teams_by_cluster.get(cluster.name, ())

    def team_of(self, workload: Workload | Model, cluster: Cluster) -> Team | None:
        """The team of a workload on a cluster: the one that it names, or else that of its namespace.

        None if that team has no quota on the cluster.
        """
        for team in self.teams_on(cluster):
            if team.name == workload.team or (workload.team is None and workload.namespace in team.namespaces):
                return team
        return None


def _has_patches(part: Pool | Workload | Model | Team) -> bool:
    return bool(part.patches)


def _may_be_on(workload: Workload | Model, cluster: Cluster) -> bool:
    return workload.clusters is None or cluster.name in workload.clusters


def _name(document: Cluster | Pool) -> str:
    return document.name

"""GpuWorkload documents to workloads. A document that differs between clusters becomes several."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple, TypeAlias

from gitgpu.diagnostic import Diagnostic, Problem
from gitgpu.load.explain.messages import value_text
from gitgpu.load.spec.override_faults import override_faults
from gitgpu.load.spec.shape import Document
from gitgpu.model import decode
from gitgpu.model.document_names import missing_name_remedy
from gitgpu.model.fleet import Model, Pool, Workload
from gitgpu.model.linking.clusters import Clusters
from gitgpu.model.linking.faults import Faults, fault
from gitgpu.model.linking.normaliser import normaliser_of
from gitgpu.model.linking.overrides import apply_overrides, entries_by_cluster, override_problems
from gitgpu.model.linking.patches import patches_of
from gitgpu.model.linking.selectors import selector_faults
from gitgpu.spelling import MAX_LISTED, one_of

_Pools: TypeAlias = Mapping[str, Mapping[str, Pool]]
# Clusters on which a workload is the same: the numbers of the overrides that apply, and the pools that differ.
_Group: TypeAlias = tuple[tuple[int, ...], tuple[object, ...]]


class KnownPools(NamedTuple):
    """The pools of each cluster by name, the names that may be referred to, and whether every pool is valid.

    `several` are the names of pools that differ between clusters.
    """

    on: _Pools
    names: Collection[str]
    several: frozenset[str]
    whole: bool


def known_pools(documents: Sequence[Document], pools: Sequence[Pool], names: Collection[str]) -> KnownPools:
    """The pools that workloads may refer to."""
    on: dict[str, dict[str, Pool]] = {}
    for pool in pools:
        for cluster in pool.clusters:
            on.setdefault(cluster, {})[pool.name] = pool
    counts = Counter(pool.name for pool in pools)
    several = frozenset(name for name, count in counts.items() if count > 1)
    refs = {pool.origin.ref for pool in pools}
    return KnownPools(on, names, several, all(document.ref in refs for document in documents))


class WorkloadFinder:
    """Finds the pools that workloads name. Contains what all workloads share."""

    def __init__(self, clusters: Clusters, pools: KnownPools, faults: Faults) -> None:
        self.clusters, self.pools, self.faults = clusters, pools, faults

    def workloads(self, document: Document) -> Iterator[Workload | Model]:
        """A workload; if it or its pools differ between clusters, one for each group of clusters that are alike."""
        base = apply_overrides(document, ())
        self.faults += self._unknown_pools(base)
        entries = entries_by_cluster(document, self.clusters)
        chosen = base.data["spec"].get("clusters")
        if not (chosen or entries or self.pools.several.intersection(base.data["spec"]["pools"])):
            self.faults += override_problems(document, self.clusters, ())
            yield _decoded(base)
            return
        effective = {chosen: apply_overrides(document, chosen) for chosen in ((), *sorted(set(entries.values())))}
        placed = self._placed(effective, entries)
        if chosen:
            self.faults += self._unselected(document, set(chain.from_iterable(placed.values())))
            placed = self._within(placed, self.clusters.select(chosen))
        names = self._cluster_names()
        if self.pools.whole or not entries:
            names = list(chain.from_iterable(placed.values()))
        self.faults += override_problems(document, self.clusters, names)
        yield from self._of_sound_specs(effective, placed)

    def _unselected(self, document: Document, own: Collection[str]) -> Iterator[Diagnostic]:
        """The faults in the clusters of a workload: those that do not exist, and those that have none of its pools."""
        wanted, at = document.data["spec"]["clusters"], ("spec", "clusters")
        yield from selector_faults(document, at, wanted, self.clusters)
        selected = self.clusters.select(wanted)
        if not self.pools.whole or (selected & set(own) and not isinstance(wanted, list)):
            return
        for name in sorted(selected - set(own)):
            message = f"no pool of the workload is on cluster {value_text(name)}"
            where = (*at, wanted.index(name)) if isinstance(wanted, list) else at
            remedy = f"select {one_of(sorted(own)[:MAX_LISTED])}" if own else "add a pool that is on it"
            yield fault("LNK010", document, where, Problem(message, remedy))

    @staticmethod
    def _within(placed: Mapping[_Group, list[str]], selected: Collection[str]) -> dict[_Group, list[str]]:
        """The groups with only the selected clusters."""
        within = {group: [name for name in names if name in selected] for group, names in placed.items()}
        return {group: names for group, names in within.items() if names}

    def _placed(
        self, effective: Mapping[tuple[int, ...], Document], entries: Mapping[str, tuple[int, ...]]
    ) -> dict[_Group, list[str]]:
        """The clusters with a pool of the workload, grouped by the overrides that apply and by pools that differ."""
        groups: dict[_Group, list[str]] = {}
        for name in self._cluster_names():
            chosen = entries.get(name, ())
            here = self.pools.on.get(name, {})
            pools = [here[pool] for pool in effective[chosen].data["spec"].get("pools", ()) if pool in here]
            if pools:
                differing = tuple((pool.name, pool.clusters) for pool in pools if pool.name in self.pools.several)
                groups.setdefault((chosen, differing), []).append(name)
        return groups

    def _of_sound_specs(
        self,
        effective: Mapping[tuple[int, ...], Document],
        placed: Mapping[_Group, list[str]],
    ) -> Iterator[Workload | Model]:
        """The workloads of the valid effective specs; only the base if no cluster has its pools."""
        wrong = {chosen: override_faults(document) for chosen, document in effective.items() if chosen}
        for chosen, faults in wrong.items():
            self.faults += faults or self._unknown_pools(effective[chosen])
        for (chosen, _), names in placed.items():
            if not wrong.get(chosen):
                yield _decoded(effective[chosen])._replace(clusters=tuple(names))
        if not placed:
            yield _decoded(effective[()])._replace(clusters=() if "clusters" in effective[()].data["spec"] else None)

    def _unknown_pools(self, document: Document) -> Iterator[Diagnostic]:
        """A fault for each name that no pool has."""
        names = self.pools.names
        for index, name in enumerate(document.data["spec"]["pools"]):
            if name not in names and "" not in names:  # it may be the name of a pool that could not be read
                missing = Problem(
                    f"no GpuPool is named {value_text(name)}", missing_name_remedy(name, names, "GpuPool")
                )
                yield fault("LNK005", document, ("spec", "pools", index), missing)

    def _cluster_names(self) -> list[str]:
        """The names of all valid clusters."""
        return [cluster.name for cluster in self.clusters.sound]


def _decoded(document: Document) -> Workload | Model:
    spec = normaliser_of("GpuWorkload")(document.data["spec"])
    decoded = decode.workload(document, spec) if "target" in spec else decode.model(document, spec)
    return decoded._replace(patches=patches_of(document, spec))

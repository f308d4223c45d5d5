"""What a plan shows: the clusters that differ, and what they were compared with."""

from collections.abc import Callable, Collection, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import NamedTuple

from gitgpu.compare import ClusterChange, Kind
from gitgpu.model.software.transitions import Transition
from gitgpu.report.comparison.transitions import Step
from gitgpu.report.findings import Style
from gitgpu.spelling import count_text


class RingChanges(NamedTuple):
    """The clusters of a ring that differ, and the size of the ring. The ring "" has clusters without a ring."""

    name: str
    clusters: tuple[ClusterChange, ...]
    total: int

    @property
    def title(self) -> str:
        """`ring canary: 1 of 3 clusters`."""
        name = f"ring {self.name}" if self.name else "no ring"
        return f"{name}: {len(self.clusters):,} of {count_text(self.total, 'cluster')}"


class Planned(NamedTuple):
    """The clusters that differ, what they were compared with, and the currency of prices ("" if unknown).

    `rings` are the clusters of each ring of the fleet, in order; empty if the fleet has no rings. Prices are marked if
    they are old on the day `today`.
    """

    clusters: tuple[ClusterChange, ...]
    against: str
    currency: str = ""
    rings: Mapping[str, Collection[str]] = {}
    today: str = ""

    def by_ring(self) -> list[RingChanges]:
        """The clusters that differ by ring, in order. Without rings, all of them are in one ring without a name."""
        ringed = set[str]().union(*self.rings.values())
        rest = [cluster.name for cluster in self.clusters if cluster.name not in ringed]
        changed_rings: list[RingChanges] = []
        for ring, names in (*self.rings.items(), ("", rest)):
            members = frozenset(names)
            clusters = tuple(cluster for cluster in self.clusters if cluster.name in members)
            if clusters:
                changed_rings.append(RingChanges(ring, clusters, len(members)))
        return changed_rings

    @property
    def steps(self) -> list[Step]:
        """The charts and images whose version changes, sorted by name, with their clusters."""
        by_transition: dict[Transition, list[str]] = {}
        for cluster in self.clusters:
            for transition in cluster.transitions:
                by_transition.setdefault(transition, []).append(cluster.name)
        steps = [Step(transition, tuple(names)) for transition, names in by_transition.items()]
        return sorted(steps, key=lambda step: step.transition[:3])

    @property
    def changes(self) -> bool:
        """Whether the plan changes anything."""
        return any(cluster.upgrade or any(map(cluster.count, Kind)) for cluster in self.clusters)

    def loses(self, globs: Sequence[str]) -> bool:
        """Whether one of these pools loses nodes, or must be recreated. No globs mean every pool."""
        for cluster in self.clusters:
            for pool in cluster.pools:
                selected = not globs or any(matches_pool(cluster.name, pool.name, glob) for glob in globs)
                if selected and pool.touches_nodes:
                    return True
        return False


class PlanFormat(NamedTuple):
    """An output format of a plan."""

    name: str
    render: Callable[[Planned, Style], str]


def matches_pool(cluster: str, pool: str, glob: str) -> bool:
    """Whether a glob matches the pool, by its name or as CLUSTER/POOL."""
    return fnmatchcase(f"{cluster}/{pool}" if "/" in glob else pool, glob)

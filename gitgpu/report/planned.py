"""A plan on its way to words: what differs, and against what."""

from collections.abc import Callable, Sequence
from fnmatch import fnmatchcase
from typing import NamedTuple

from gitgpu import registry
from gitgpu.compare import ClusterChange, Kind
from gitgpu.report import plans
from gitgpu.report.findings import Style


class Planned(NamedTuple):
    """The clusters that differ, what they were compared with, and the currency of prices ("" where not known)."""

    clusters: tuple[ClusterChange, ...]
    against: str
    currency: str = ""

    @property
    def changes(self) -> bool:
        """Would anything be another than it is?"""
        return any(cluster.upgrade or any(map(cluster.count, Kind)) for cluster in self.clusters)

    def loses(self, globs: Sequence[str]) -> bool:
        """Does one of these pools lose nodes, or need to be recreated? No globs mean every pool."""
        return any(
            pool.touches_nodes and (not globs or any(names(cluster.name, pool.name, glob) for glob in globs))
            for cluster in self.clusters
            for pool in cluster.pools
        )


class PlanFormat(NamedTuple):
    """One way to tell a plan."""

    name: str
    render: Callable[[Planned, Style], str]


def plan_format_names() -> tuple[str, ...]:
    """The formats there are, sorted; none of them is imported."""
    return registry.names(plans)


def render_plan(plan: Planned, form: str, style: Style) -> str:
    """The plan as text in one of `plan_format_names()`."""
    text = registry.load(plans, form, "FORMAT", PlanFormat).render(plan, style)
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def names(cluster: str, pool: str, glob: str) -> bool:
    """Does a glob name the pool, by its own name or as CLUSTER/POOL?"""
    return fnmatchcase(f"{cluster}/{pool}" if "/" in glob else pool, glob)

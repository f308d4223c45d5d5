"""Clusters with the same changes, reported once."""

from collections.abc import Callable, Hashable, Iterable, Sequence

from gitgpu.compare import ClusterChange
from gitgpu.spelling import counted

MAX_NAMED = 8  # the most clusters that a title names


def group_same_changes(
    clusters: Iterable[ClusterChange], key: Callable[[ClusterChange], Hashable]
) -> list[tuple[list[str], ClusterChange]]:
    """Groups of clusters with the same key: their names and the first cluster, in the order of the first clusters."""
    groups: dict[Hashable, tuple[list[str], ClusterChange]] = {}
    for cluster in clusters:
        names, _ = groups.setdefault(key(cluster), ([], cluster))
        names.append(cluster.name)
    return list(groups.values())


def title(names: Sequence[str]) -> str:
    """The names of clusters, or the first of many."""
    others = len(names) - MAX_NAMED
    more = f" and {counted(others, 'more cluster', ',')}" if others > 0 else ""
    return ", ".join(names[:MAX_NAMED]) + more

"""Clusters that change alike, told once."""

from collections.abc import Callable, Hashable, Iterable, Sequence

from gitgpu.compare import ClusterChange

MOST = 8  # names of clusters in a title


def group_same_changes(
    clusters: Iterable[ClusterChange], told: Callable[[ClusterChange], Hashable]
) -> list[tuple[list[str], ClusterChange]]:
    """The names of the clusters of which the same is told, with the first of them; in order of the first."""
    groups: dict[Hashable, tuple[list[str], ClusterChange]] = {}
    for cluster in clusters:
        groups.setdefault(told(cluster), ([], cluster))[0].append(cluster.name)
    return list(groups.values())


def title(names: Sequence[str]) -> str:
    """The names of clusters, or the first of many."""
    more = f" and {len(names) - MOST:,} more clusters" if len(names) > MOST else ""
    return ", ".join(names[:MOST]) + more

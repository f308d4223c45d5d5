"""Clusters with the same report, which is shown once."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TypeVar

from gitgpu.spelling import count_text

MAX_NAMED = 8  # the most clusters that a title names

Cluster = TypeVar("Cluster")


def group_same(clusters: Iterable[Cluster], key: Callable[[Cluster], Hashable]) -> list[list[Cluster]]:
    """Groups of clusters with the same key, in the order of the first clusters."""
    groups: dict[Hashable, list[Cluster]] = {}
    for cluster in clusters:
        groups.setdefault(key(cluster), []).append(cluster)
    return list(groups.values())


def title(names: Sequence[str]) -> str:
    """The names of clusters, or the first of many."""
    others = len(names) - MAX_NAMED
    more = f" and {count_text(others, 'more cluster')}" if others > 0 else ""
    return ", ".join(names[:MAX_NAMED]) + more

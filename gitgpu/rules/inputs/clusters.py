"""Pools with their clusters, and clusters that are alike: the same fault on all of them is one finding."""

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import TypeVar

from gitgpu.model.fleet import Cluster, Pool
from gitgpu.model.inputs import Inputs

Key = TypeVar("Key", bound=Hashable)


def pools_with_clusters(inputs: Inputs) -> Iterator[tuple[Pool, tuple[Cluster, ...]]]:
    """Every pool with its clusters."""
    by_name = {cluster.name: cluster for cluster in inputs.clusters}
    for pool in inputs.pools:
        yield pool, tuple(map(by_name.__getitem__, pool.clusters))


def karpenter_pools_with_clusters(inputs: Inputs) -> Iterator[tuple[Pool, tuple[Cluster, ...]]]:
    """Every pool whose nodes Karpenter creates, with its clusters."""
    return ((pool, clusters) for pool, clusters in pools_with_clusters(inputs) if pool.by_karpenter)


def group_clusters(clusters: Iterable[Cluster], key: Callable[[Cluster], Key]) -> dict[Key, list[str]]:
    """The names of the clusters by the result of `key`."""
    groups: dict[Key, list[str]] = {}
    for cluster in clusters:
        groups.setdefault(key(cluster), []).append(cluster.name)
    return groups

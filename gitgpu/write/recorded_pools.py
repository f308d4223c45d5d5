"""The pools that overlays hold, so that a build sees when a pool leaves while its nodes may still run."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias


class RecordedPool(NamedTuple):
    """A pool of a cluster: the label of its nodes, as key=value, and whether it retires."""

    nodes: str
    retires: bool


Pools: TypeAlias = Mapping[str, Mapping[str, RecordedPool]]


def removed_pools(old: Pools, new: Pools, holds: Callable[[str], bool]) -> Iterator[tuple[str, str, RecordedPool]]:
    """Cluster, name and state of each pool that leaves without having retired.

    `holds` says which clusters the build is about. A pool whose nodes have another label now leaves the old ones
    behind, so it counts as one that leaves.
    """
    for cluster in sorted(filter(holds, old)):
        there = new.get(cluster, {})
        for name, was in sorted(old[cluster].items()):
            if not was.retires and (name not in there or there[name].nodes != was.nodes):
                yield cluster, name, was


def pools_as_json(pools: Pools) -> dict[str, dict[str, dict[str, Any]]]:
    """As the lock writes them, sorted."""
    return {
        cluster: {name: pool._asdict() for name, pool in sorted(there.items())}
        for cluster, there in sorted(pools.items())
    }


def pools_from_json(pools: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> dict[str, dict[str, RecordedPool]]:
    """What `dumped` has written."""
    return {cluster: {name: RecordedPool(**pool) for name, pool in there.items()} for cluster, there in pools.items()}


def is_pools_json(found: Any) -> bool:
    """Is it what `dumped` writes?"""
    if not isinstance(found, dict) or not all(isinstance(there, dict) for there in found.values()):
        return False
    return all(_is_pool(pool) for there in found.values() for pool in there.values())


def _is_pool(found: Any) -> bool:
    known = isinstance(found, dict) and found.keys() == set(RecordedPool._fields)
    return known and isinstance(found["nodes"], str) and isinstance(found["retires"], bool)

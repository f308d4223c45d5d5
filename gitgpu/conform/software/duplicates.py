"""Two daemons that do the same work on the same nodes."""

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

from gitgpu.conform.node.gpu_pools import GpuPool, gpu_pools
from gitgpu.conform.objects import Objects
from gitgpu.conform.software.coverage import reaches
from gitgpu.conform.software.daemons import Daemon, daemons


class Duplicate(NamedTuple):
    """Two daemons and the pools that both run on; without pools it is unknown whether they meet."""

    first: Daemon
    second: Daemon
    pools: tuple[str, ...]


def duplicates(objects: Objects, *provides: str, maker: str = "nvidia") -> Iterator[Duplicate]:
    """Every two daemons with one of these parts that are on the same nodes of a maker's GPUs, or may be."""
    pools = [pool for pool in gpu_pools(objects) if pool.maker == maker]
    every = list(daemons(objects, *provides))
    names = [pool.name for pool in pools]
    reached = {id(daemon): {pool.name for pool in pools if _on(daemon, pool, objects)} for daemon in every}
    for first, second in combinations(every, 2):
        if first.item is second.item or first.cluster != second.cluster:
            continue
        both = reached[id(first)] & reached[id(second)]
        shared = tuple(name for name in names if name in both) if both else ()
        unsure = not pools and first.everywhere and second.everywhere
        if shared or unsure:
            yield Duplicate(first, second, shared)


def beside_aks(objects: Objects, *provides: str) -> Iterator[tuple[Daemon, GpuPool]]:
    """Every daemon with one of these parts on nodes where AKS itself runs such a part, because of a tag."""
    for pool in gpu_pools(objects):
        if pool.managed and pool.mode == "Driver" and pool.maker == "nvidia":
            yield from ((daemon, pool) for daemon in daemons(objects, *provides) if _on(daemon, pool, objects))


def pool_names(pools: tuple[str, ...]) -> str:
    """The pools in a message: `NodePool a`, `NodePools a, b`."""
    return f"NodePool{'s' if len(pools) > 1 else ''} {', '.join(pools)}"


def _on(daemon: Daemon, pool: GpuPool, objects: Objects) -> bool:
    return reaches(daemon, pool, objects) is True

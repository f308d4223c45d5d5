"""Two daemons that do the same work on the same nodes."""

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from gitgpu.objects.node.gpu_pools import GpuPool, gpu_pools
from gitgpu.objects.objects import Objects
from gitgpu.objects.software.coverage import reaches
from gitgpu.objects.software.daemons import Daemon, daemons


class Duplicate(NamedTuple):
    """A daemon, an earlier one, and the pools that both run on; without pools it is unknown whether they meet."""

    first: Daemon
    second: Daemon
    pools: tuple[str, ...]


def duplicates(objects: Objects, *provides: str, maker: str = "nvidia") -> Iterator[Duplicate]:
    """Every daemon that is, or may be, on the same nodes as an earlier one, with the first of these.

    `maker` is the manufacturer of the GPUs. Of several parts, only daemons with different parts are compared.
    """
    pools = [pool for pool in gpu_pools(objects) if pool.maker == maker]
    present: dict[tuple[str, str, str], Daemon] = {}  # the first with a part, in a cluster, on a pool
    # Each daemon is compared with the first one only, not with every other: 1,000 daemons on a pool give 999 findings.
    for second in daemons(objects, *provides):
        places = _places(second, pools, objects)
        parts = [part for part in provides if part != second.provides] or provides
        keys = product(parts, [second.cluster], places)
        candidates = [present[key] for key in keys if key in present]
        first = next((daemon for daemon in candidates if daemon.item is not second.item), None)
        if first:
            also = _places(first, pools, objects)
            yield Duplicate(first, second, tuple(place for place in places if place and place in also))
        for place in places:
            present.setdefault((second.provides, second.cluster, place), second)


def _places(daemon: Daemon, pools: list[GpuPool], objects: Objects) -> list[str]:
    """The names of the pools that a daemon runs on; "" if it may run on any GPU node and there are no pools."""
    if not pools and (daemon.everywhere or daemon.marked):
        return [""]
    return [pool.name for pool in pools if _on(daemon, pool, objects)]


def pool_names(pools: tuple[str, ...]) -> str:
    """The pools in a message: `NodePool a`, `NodePools a, b`."""
    return f"NodePool{'s' if len(pools) > 1 else ''} {', '.join(pools)}"


def _on(daemon: Daemon, pool: GpuPool, objects: Objects) -> bool:
    return reaches(daemon, pool, objects) is True

"""Limits of a pool that are smaller than a node of its smallest size. A limit of 0 pauses a Karpenter pool."""

from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple

from gitgpu.model.fleet import Pool
from gitgpu.model.sku import Sku
from gitgpu.model.syntax.quantity import quantity
from gitgpu.schedule.capacity import capacity


class Short(NamedTuple):
    """A limit below one node: its key, its value, and what the smallest node counts against it."""

    key: str
    limit: str | int
    minimum: Decimal
    size: str


def short(pool: Pool) -> Iterator[Short]:
    """The limits of a pool that are too small for any node, if the catalog knows all its sizes."""
    for key, limit in _written(pool).items():
        if limit is None or (pool.by_karpenter and is_zero(limit)):
            continue
        needs = [(_counted(sku, key), sku.name) for sku in pool.skus]
        counted = [(need, size) for need, size in needs if need is not None]
        if counted and len(counted) == len(needs):
            minimum, size = min(counted)
            if quantity(limit) < minimum:
                yield Short(key, limit, minimum, size)


def short_together(pool: Pool) -> tuple[Short, ...]:
    """The limits that the closest size exceeds, if each limit alone allows a size, but all together allow none."""
    limits = {key: limit for key, limit in _written(pool).items() if limit is not None}
    if is_paused(pool) or any(short(pool)):
        return ()
    over = []
    for sku in pool.skus:
        shorts = []
        for key, limit in limits.items():
            need = _counted(sku, key)
            # A size that is not completely known may be within all limits.
            if need is None:
                return ()
            if quantity(limit) < need:
                shorts.append(Short(key, limit, need, sku.name))
        over.append(tuple(shorts))
    return min(over, key=_nearness, default=())  # empty if a size is within all limits


def _nearness(shorts: tuple[Short, ...]) -> tuple[int, tuple[Short, ...]]:
    return len(shorts), shorts


def is_paused(pool: Pool) -> bool:
    """Whether Karpenter creates the nodes of the pool and one of its limits is 0, which pauses the pool."""
    return pool.by_karpenter and any(limit is not None and is_zero(limit) for limit in _written(pool).values())


def nodes_limit(pool: Pool) -> str:
    """The key in the spec that limits the number of nodes; for a static pool, that is `replicas`."""
    return "limits.nodes" if pool.objects.replicas is None else "replicas"


def _written(pool: Pool) -> dict[str, str | int | None]:
    limits = pool.limits
    return {"gpus": limits.gpus, "cpu": limits.cpu, "memory": limits.memory, "nodes": limits.nodes}


def is_zero(limit: str | int) -> bool:
    """Whether the limit is 0."""
    return quantity(limit) == 0


def _counted(sku: Sku, key: str) -> Decimal | None:
    """What a node counts against a limit: of GPUs, the number that Karpenter counts, which is wrong for some sizes."""
    if key == "nodes":
        return Decimal(1)
    return capacity(sku)[sku.resource if key == "gpus" else key]

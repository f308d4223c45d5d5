"""How much of what a quota of a team counts a pool may have: within its limits, and within Azure's quotas."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from gitgpu.model.inputs import Inputs
from gitgpu.model.mig import resource
from gitgpu.model.sku import Sku
from gitgpu.model.team_quotas import Unit
from gitgpu.rules.inputs.quotas import Record, accounts, keys, most_nodes


class Room(NamedTuple):
    """The most units that a pool may have, and what limits it."""

    units: int
    by: str


def recorded_quotas(inputs: Inputs) -> dict[str, tuple[Record, ...]]:
    """The Azure quotas that are recorded for each cluster."""
    return {cluster.name: account.records for account in accounts(inputs) for cluster in account.clusters}


def unit_room(unit: Unit, records: Sequence[Record]) -> Room | None:
    """The room of a pool, with the Azure quotas of its cluster; None if nothing limits it, or a fact is unknown.

    None too for a pool without any room, which is paused.
    """
    rooms = [_size_room(unit, sku, records) for sku in unit.pool.skus]
    known_rooms = [room for room in rooms if room]
    largest = max(known_rooms, default=None)
    return largest if largest and len(known_rooms) == len(rooms) and largest.units else None


def _size_room(unit: Unit, sku: Sku, records: Sequence[Record]) -> Room | None:
    """The room if all nodes had this size."""
    each = _number_on_node(unit, sku)
    if not each:
        return None
    by_limits = most_nodes(unit.pool, sku)
    rooms = [] if by_limits is None else [Room(by_limits * each, "the limits of the pool")]
    rooms += (Room(nodes * each, f"the Azure quota {title}") for nodes, title in _quotas(unit, sku, records))
    return min(rooms, default=None)


def _quotas(unit: Unit, sku: Sku, records: Sequence[Record]) -> Iterator[tuple[int, str]]:
    """The nodes of a size for which each recorded Azure quota has room."""
    capacity = unit.capacity or unit.pool.capacity[0]
    for record in records:
        if sku.vcpus and record.quota.key in keys(sku, capacity):
            yield record.quota.limit // sku.vcpus, record.quota.title


def _number_on_node(unit: Unit, sku: Sku) -> int | None:
    """How many a node of a size advertises."""
    pool, gpus = unit.pool, sku.gpus
    if gpus is None or unit.claimed:
        return gpus
    if pool.mig is None or pool.mig.single:
        return gpus * pool.shares
    names = {name for layout in pool.mig.layouts for name in layout if resource(name) == unit.resource}
    return pool.mig.count_instances(gpus, min(names, default=""))

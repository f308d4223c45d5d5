"""What pools take of the quotas of their cluster's subscription, as far as the cluster records them."""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from shlex import quote
from typing import NamedTuple

from gitgpu.model.fleet import Cluster, Pool
from gitgpu.model.inputs import Inputs
from gitgpu.model.nodepool import bounds
from gitgpu.model.quantity import quantity
from gitgpu.model.quota import CORES, SPOT_CORES, Quota, plain
from gitgpu.model.sku import Sku
from gitgpu.schedule.capacity import capacity
from gitgpu.source import Pointer


class Need(NamedTuple):
    """What a pool takes of a quota when it has all the nodes that it may have, in vCPUs; None without an end."""

    cluster: Cluster
    pool: Pool
    most: int | None


class Recorded(NamedTuple):
    """A quota that a cluster records, its place there, and what the pools take of it that cannot do without it."""

    cluster: Cluster
    place: Pointer
    quota: Quota
    needs: tuple[Need, ...]


def recorded(inputs: Inputs) -> Iterator[Recorded]:
    """Every quota that a cluster records, with all pools that share it; the same record on another of them is one."""
    sharing: dict[tuple[str, ...], list[Cluster]] = {}
    for cluster in inputs.clusters:
        sharing.setdefault(_account(cluster), []).append(cluster)
    for clusters in sharing.values():
        told: dict[tuple[str, int], Recorded] = {}
        for cluster in clusters:
            for index, quota in enumerate(cluster.quota):
                needs = tuple(need for one in clusters for need in _needs(one, inputs.pools_on(one), quota))
                found = Recorded(cluster, ("spec", "quota", index, "limit"), quota, needs)
                told.setdefault((quota.key, quota.limit), found)
        yield from told.values()


def _account(cluster: Cluster) -> tuple[str, ...]:
    """What clusters have in common that share quotas; the name of one whose subscription is not known."""
    subscription = _subscription(cluster)
    return (subscription.lower(), cluster.region) if subscription else (cluster.name,)


def _subscription(cluster: Cluster) -> str:
    return cluster.resource_id.split("/")[2] if cluster.resource_id else ""


def lacking(cluster: Cluster, pool: Pool) -> tuple[int, int] | None:
    """The smallest node of a pool for which a recorded quota has no room, in vCPUs, and that quota's index.

    None where a size and priority of the pool has room in each.
    """
    ways = [(sku.vcpus or 0, _full(cluster, sku, way)) for sku in pool.skus for way in pool.capacity]
    full = [(least, index) for least, index in ways if index is not None]
    return min(full) if full and len(full) == len(ways) else None


def _full(cluster: Cluster, sku: Sku, way: str) -> int | None:
    """The recorded quota that has no room for one node, by its index; None where each has."""
    wanted = keys(sku, way)
    found = (index for index, one in enumerate(cluster.quota) if one.key in wanted and one.limit < (sku.vcpus or 0))
    return next(found, None)


def more(quota: Quota, cluster: Cluster, wanted: int) -> str:
    """How to ask Azure for more of a quota."""
    scope = f"/subscriptions/{_subscription(cluster) or '<id>'}/providers/Microsoft.Compute/locations/{cluster.region}"
    command = f"az quota update --resource-name {quote(quota.name)} --scope {scope} --limit-object value={wanted}"
    return f"ask for {wanted}, on the page Quotas of Azure's portal or with `{command}`"


def keys(sku: Sku, capacity_type: str) -> tuple[str | None, ...]:
    """The quotas of which a node of a size takes, by key; None for one that the catalog does not know.

    Spot nodes have one of their own, whatever their size.
    """
    if capacity_type == "spot":
        return (plain(SPOT_CORES),)
    family = sku.row["quotaFamily"]
    return (plain(family) if family else None, plain(CORES))


def _needs(cluster: Cluster, pools: Sequence[Pool], quota: Quota) -> Iterator[Need]:
    """Of a pool that may have both, nodes on demand count: it has only those when there is no spot."""
    for pool in pools:
        wanted = "spot" if pool.only_spot else "on-demand"
        if pool.skus and all(quota.key in keys(sku, wanted) and sku.vcpus is not None for sku in pool.skus):
            found = [_most(pool, sku) for sku in pool.skus]
            bounded = [one for one in found if one is not None]
            yield Need(cluster, pool, max(bounded) if len(bounded) == len(found) else None)


def _most(pool: Pool, sku: Sku) -> int | None:
    """The vCPUs of as many nodes of a size as the pool may have; None where nothing bounds them."""
    if not pool.by_karpenter:
        nodes = bounds(pool).most
    else:
        room = [_room(limit, counted) for limit, counted in _counted(pool, sku)]
        nodes = min((one for one in room if one is not None), default=None)
    return None if nodes is None else nodes * (sku.vcpus or 0)


def _counted(pool: Pool, sku: Sku) -> Iterator[tuple[Decimal, Decimal | None]]:
    """The pool's limits, and what a node of the size counts against each."""
    limits, node = pool.limits, capacity(sku)
    said = (
        (limits.gpus, node[sku.resource]),
        (limits.cpu, node["cpu"]),
        (limits.memory, node["memory"]),
        (limits.nodes, Decimal(1)),
    )
    return ((quantity(limit), counted) for limit, counted in said if limit is not None)


def _room(limit: Decimal, counted: Decimal | None) -> int | None:
    return int(limit // counted) if counted else None

"""What pools use of the quotas of their cluster's subscription, as far as these are recorded."""

from collections.abc import Collection, Iterator
from decimal import Decimal
from itertools import chain, product
from operator import itemgetter
from shlex import quote
from typing import NamedTuple

from gitgpu.model.aks_node_pool import bounds, nodes_by_size
from gitgpu.model.fleet import Cluster, Pool
from gitgpu.model.inputs import Inputs
from gitgpu.model.sku import Sku
from gitgpu.model.spec.quota import CORES, SPOT_CORES, Quota, plain
from gitgpu.model.subscriptions import mixed_regions, subscription
from gitgpu.model.syntax.quantity import quantity, times
from gitgpu.schedule.capacity import capacity
from gitgpu.source import Pointer


class Need(NamedTuple):
    """The most that a pool can use of a quota, in vCPUs."""

    cluster: Cluster
    pool: Pool
    maximum: int


class Record(NamedTuple):
    """A quota that the spec of a cluster records, and its place."""

    cluster: Cluster
    place: Pointer
    quota: Quota


class Account(NamedTuple):
    """Clusters that share quotas, and the quotas that they record. Equal records count once.

    If the clusters record none, the quotas of their region in the catalog are used.
    """

    clusters: tuple[Cluster, ...]
    records: tuple[Record, ...]


def accounts(inputs: Inputs) -> Iterator[Account]:
    """The clusters by subscription and region. A cluster with an unknown subscription has its own account."""
    sharing: dict[tuple[str, ...], list[Cluster]] = {}
    for cluster in inputs.clusters:
        owner = subscription(cluster)
        same = (owner.lower(), cluster.region) if owner else (cluster.name,)
        sharing.setdefault(same, []).append(cluster)
    for clusters in sharing.values():
        by_quota: dict[tuple[str, int], Record] = {}
        records = list(chain.from_iterable(map(_records, clusters)))
        for record in records or _listed(clusters[0], inputs):
            by_quota.setdefault((record.quota.key, record.quota.limit), record)
        yield Account(tuple(clusters), tuple(by_quota.values()))


def _records(cluster: Cluster) -> Iterator[Record]:
    for index, quota in enumerate(cluster.quota):
        yield Record(cluster, ("spec", "quota", index, "limit"), quota)


def _listed(cluster: Cluster, inputs: Inputs) -> list[Record]:
    """The catalog's quotas of the region. They are of one subscription, so clusters of several do not use them."""
    row = inputs.catalog.facts("availability", cluster.region)
    if not row or "quota" not in row or cluster.region in mixed_regions(inputs.clusters):
        return []
    limits = row["quota"]["limits"].items()
    return [Record(cluster, ("spec", "region"), Quota(name, name, limit, None)) for name, limit in limits]


def full_quota(cluster: Cluster, pool: Pool, account: Account) -> tuple[int, Record] | None:
    """The vCPUs of the smallest node of a pool for which a recorded quota has no room, and that quota.

    None if a size and priority of the pool fits into each quota. For quotas that the cluster does not record, those of
    other clusters count.
    """
    recorded = {quota.key for quota in cluster.quota}
    records = [*_records(cluster), *(record for record in account.records if record.quota.key not in recorded)]
    full: list[tuple[int, Record]] = []
    for sku, capacity_type in product(pool.skus, pool.capacity):
        minimum, needed = sku.vcpus or 0, keys(sku, capacity_type)  # a size with unknown vCPUs may fit into any quota
        record = next((record for record in records if _is_full(record.quota, needed, minimum)), None)
        if record is None:
            return None
        full.append((minimum, record))
    return min(full, key=itemgetter(0), default=None)


def _is_full(quota: Quota, needed: Collection[str | None], minimum: int) -> bool:
    return quota.key in needed and quota.limit < minimum


def how_to_request(record: Record, minimum: int) -> str:
    """How to request more of a quota from Azure."""
    cluster, _, quota = record
    scope = f"/subscriptions/{subscription(cluster) or '<id>'}/providers/Microsoft.Compute/locations/{cluster.region}"
    command = f"az quota update --resource-name {quote(quota.name)} --scope {scope} --limit-object value={minimum}"
    return f"request {minimum} on the Quotas page of the Azure portal, or with `{command}`"


def keys(sku: Sku, capacity_type: str) -> tuple[str | None, ...]:
    """The keys of the quotas that a node of a size uses; None for a quota that the catalog does not know.

    Spot nodes use a separate quota, regardless of their size.
    """
    if capacity_type == "spot":
        return (plain(SPOT_CORES),)
    family = sku.row["quotaFamily"]
    return (plain(family) if family else None, plain(CORES))


def needs(inputs: Inputs, account: Account, quota: Quota) -> Iterator[Need]:
    """The needs of pools that cannot start nodes without this quota.

    Pools without a limit are omitted, and pools that cannot have a node.
    """
    for cluster in account.clusters:
        for pool in inputs.pools_on(cluster):
            maximum = _most_vcpus(pool, quota)
            if maximum and not full_quota(cluster, pool, account):
                yield Need(cluster, pool, maximum)


def _most_vcpus(pool: Pool, quota: Quota) -> int | None:
    """The most that a pool uses of a quota.

    If it can have spot and on-demand nodes, on-demand counts: spot may be unavailable.
    """
    capacity_type = "spot" if pool.only_spot else "on-demand"
    vcpus = []
    for sku in pool.skus:
        maximum = most_nodes(pool, sku)
        if quota.key not in keys(sku, capacity_type) or sku.vcpus is None or maximum is None:
            return None
        vcpus.append(maximum * sku.vcpus)
    total = sum if pool.has_machines else max  # such a pool has nodes of each of its sizes
    return total(vcpus) if vcpus else None


def most_nodes(pool: Pool, sku: Sku) -> int | None:
    """The most nodes of a size that the pool can have; None if there is no limit."""
    if not pool.by_karpenter:
        return nodes_by_size(pool)[sku.name].maximum if pool.has_machines else bounds(pool).maximum
    room = [_room(limit, counted) for limit, counted in _counted(pool, sku)]
    return min((number for number in room if number is not None), default=None)


def _counted(pool: Pool, sku: Sku) -> Iterator[tuple[Decimal, Decimal | None]]:
    """The pool's limits, and what a node of the size counts against each."""
    limits, node = pool.limits, capacity(sku)
    pairs = (
        (limits.gpus, node[sku.resource]),
        (limits.cpu, node["cpu"]),
        (limits.memory, node["memory"]),
        (limits.nodes, Decimal(1)),
    )
    return ((quantity(limit), counted) for limit, counted in pairs if limit is not None)


def _room(limit: Decimal, counted: Decimal | None) -> int | None:
    return times(limit, counted) if counted else None

"""How far a pool can grow on a cluster, and what that costs: what `plan` computes from NodePools, from the spec."""

from decimal import Decimal

from gitgpu.compare import AtLimits
from gitgpu.model.aks_node_pool import bounds, nodes_by_size
from gitgpu.model.catalog import Catalog
from gitgpu.model.dates import evidence_day
from gitgpu.model.fleet import Pool
from gitgpu.model.sku import Sku
from gitgpu.model.syntax.quantity import quantity, times
from gitgpu.schedule.capacity import capacity

UNKNOWN = AtLimits()


def at_limits(pool: Pool, region: str, catalog: Catalog) -> AtLimits:
    """A pool at its limits. Each number is from the size for which it is largest; on-demand prices of a region."""
    counts = [(sku, _nodes(pool, sku)) for sku in pool.skus]
    known = [(sku, count) for sku, count in counts if count is not None]
    if not known or len(known) < len(counts):
        return UNKNOWN
    row = catalog.facts("prices", region)
    prices = row["onDemand"] if row else {}
    total = sum if pool.has_machines else max  # sizes of virtual machines add up; Karpenter may use any of its sizes
    unpriced = tuple(sku.name for sku, _ in known if sku.name not in prices)
    price = None
    if not unpriced:
        price = Decimal(total([Decimal(str(prices[sku.name])) * count for sku, count in known]))
    gpus = [sku.counted_gpus * count for sku, count in known if sku.counted_gpus is not None]
    whole = total(gpus) if len(gpus) == len(known) else None
    date = evidence_day(row) if row and price is not None else ""
    return AtLimits(total(count for _, count in known), whole, price, unpriced, date)


def _nodes(pool: Pool, sku: Sku) -> int | None:
    """The maximum number of nodes of a size; None if there is no limit."""
    if pool.has_machines:
        return nodes_by_size(pool)[sku.name].maximum
    if not pool.by_karpenter:
        return bounds(pool).maximum
    limits = pool.limits
    named = {sku.resource: limits.gpus, "nodes": limits.nodes, "cpu": limits.cpu, "memory": limits.memory}
    written = {name: limit for name, limit in {**limits.resources, **named}.items() if limit is not None}
    has = {**capacity(sku), "nodes": Decimal(1)}
    bounded = [(quantity(limit), has.get(name)) for name, limit in written.items()]
    return min((times(limit, amount) for limit, amount in bounded if amount), default=None)

"""Which node conditions report GPU problems, on which nodes AKS sets them, and what replaces AKS elsewhere.

AKS checks GPUs only on Linux, and where it installs the driver. Elsewhere gitgpu's own detector reads the kernel log.
"""

from collections.abc import Iterator, Sequence

from gitgpu.model.catalog import Catalog, Facts
from gitgpu.model.driver_owner import BY_AKS
from gitgpu.model.size.grid_driver import needs_grid_driver
from gitgpu.model.sku import Sku
from gitgpu.model.spec.stack import Stack
from gitgpu.plan.decided.cluster import PoolPlan
from gitgpu.plan.decided.health import Condition, Detector, Health
from gitgpu.plan.decided.monitoring import Alert
from gitgpu.plan.image import image
from gitgpu.plan.placement import nodes, separate_placements

DETECTOR = "node-problem-detector"


def health(pools: Sequence[PoolPlan], stack: Stack, catalog: Catalog) -> Health | None:
    """What is watched; None if health checks are not enabled or no pool supports them."""
    watched = _watched(pools, stack)
    if not watched:
        return None
    unmanaged_pools = [pool for pool in watched if pool.driver not in BY_AKS]
    conditions = tuple(_condition(row) for _, row in _rows(watched, catalog))
    return Health(nodes(watched), conditions, _detector(unmanaged_pools, stack, catalog) if unmanaged_pools else None)


def health_alerts(pools: Sequence[PoolPlan], stack: Stack, catalog: Catalog) -> tuple[Alert, ...]:
    """An alert for each condition, from metrics of kube-state-metrics; () if they are not scraped."""
    rows = _rows(_watched(pools, stack), catalog) if stack.metrics.scrape != "none" else ()
    return tuple(_alert(row, catalog.own("conditions", name)) for name, row in rows)


def _watched(pools: Sequence[PoolPlan], stack: Stack) -> list[PoolPlan]:
    wanted = pools if stack.health == "npd" else ()
    return [pool for pool in wanted if pool.pool.manufacturer == "nvidia" and not pool.pool.windows]


def _rows(pools: Sequence[PoolPlan], catalog: Catalog) -> Iterator[tuple[str, Facts]]:
    """The conditions that AKS or the detector sets on nodes of these pools."""
    for name, row in catalog.rows("conditions").items():
        if row["alert"] and any(_is_set(row, pool, catalog) for pool in pools):
            yield name, row


def _is_set(row: Facts, pool: PoolPlan, catalog: Catalog) -> bool:
    """Whether AKS or the detector sets the condition on nodes of the pool."""
    if pool.driver not in BY_AKS:
        return row["pattern"] is not None
    has = (_has(row["needs"], sku, catalog) for sku in pool.pool.skus)
    return (pool.driver == "managed" or not row["managedOnly"]) and any(has)


def _has(needed: str | None, sku: Sku, catalog: Catalog) -> bool:
    """An unknown fact does not rule out the condition: an alert that never fires does no harm."""
    if needed == "grid":
        return needs_grid_driver(sku, catalog)
    return needed is None or sku.row[needed] is not False


def _condition(row: Facts) -> Condition:
    return Condition(tuple(row["types"]), row["pattern"] or "")


def _detector(pools: Sequence[PoolPlan], stack: Stack, catalog: Catalog) -> Detector:
    row = catalog.must("containers", DETECTOR)
    conditions = tuple(_condition(entry) for _, entry in _rows(pools, catalog))
    return Detector(
        image=image(row),
        placements=separate_placements(pools, stack),
        memory=row["memory"]["limits"],
        conditions=conditions,
        rows=catalog.own("containers", DETECTOR),
    )


def _alert(row: Facts, rows: tuple[str, ...]) -> Alert:
    types = "|".join(row["types"])
    return Alert(
        name=row["alert"],
        expr=f'max by (node, condition) (kube_node_status_condition{{condition=~"{types}",status="true"}}) == 1',
        wait=row.get("for", ""),
        severity=row["severity"],
        summary=f"Node {{{{ $labels.node }}}}: {row['meaning']}.",
        description=f"Its condition {{{{ $labels.condition }}}} is true. {row['remedy']} Nothing does so by itself: "
        "see runbook/gpu-health.sh.",
        rows=rows,
    )

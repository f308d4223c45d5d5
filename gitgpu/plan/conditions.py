"""Which conditions tell that GPUs are unwell, on which nodes AKS sets them, and what stands in for it elsewhere.

AKS looks at GPUs where it installs the driver, and only on Linux. Elsewhere gitgpu's own detector reads the kernel log.
"""

from collections.abc import Iterator, Mapping, Sequence

from gitgpu.model.catalog import Catalog, Facts
from gitgpu.model.inputs import BY_AKS
from gitgpu.model.stack import Stack
from gitgpu.plan.decision import PoolPlan
from gitgpu.plan.health import Condition, Detector, Health
from gitgpu.plan.image import image
from gitgpu.plan.placement import nodes, reach
from gitgpu.plan.watching import Alert

DETECTOR = "node-problem-detector"


def health(pools: Sequence[PoolPlan], stack: Stack, catalog: Catalog) -> Health | None:
    """What is watched, None where nobody asks or no pool's health can be told."""
    watched = [one for one in pools if one.pool.manufacturer == "nvidia" and not one.pool.windows]
    if stack.health != "npd" or not watched:
        return None
    own = [one for one in watched if one.driver not in BY_AKS]
    rows = {name: row for name, row in _rows(catalog) if any(_told(row, one, catalog) for one in watched)}
    return Health(
        nodes=nodes(watched),
        conditions=tuple(map(_condition, rows.values())),
        alerts=tuple(_alert(row, catalog.own("conditions", name)) for name, row in rows.items()),
        detector=_detector(own, catalog) if own else None,
    )


def _rows(catalog: Catalog) -> Iterator[tuple[str, Facts]]:
    return ((name, catalog.must("conditions", name)) for name in catalog.names("conditions"))


def _told(row: Facts, one: PoolPlan, catalog: Catalog) -> bool:
    """Does somebody set the condition on nodes of the pool?"""
    if one.driver not in BY_AKS:
        return row["pattern"] is not None
    has = (_has(row["needs"], sku.row, catalog) for sku in one.pool.skus)
    return (one.driver == "managed" or not row["managedOnly"]) and any(has)


def _has(needed: str | None, sku: Mapping[str, object], catalog: Catalog) -> bool:
    """A fact that is not known does not rule the condition out: an alert that never fires does no harm."""
    if needed == "grid":
        return bool(sku["driver"]) and catalog.must("drivers", str(sku["driver"]))["kind"] == "grid"
    return needed is None or sku[needed] is not False


def _condition(row: Facts) -> Condition:
    return Condition(tuple(row["types"]), row["meaning"], row["pattern"] or "")


def _detector(pools: Sequence[PoolPlan], catalog: Catalog) -> Detector:
    row = catalog.must("containers", DETECTOR)
    found = tuple(_condition(one) for _, one in _rows(catalog) if one["pattern"])
    return Detector(image(row), reach(pools), row["memory"]["limits"], found, catalog.own("containers", DETECTOR))


def _alert(row: Facts, own: tuple[str, ...]) -> Alert:
    types = "|".join(row["types"])
    return Alert(
        name=row["alert"],
        expr=f'max by (node, condition) (kube_node_status_condition{{condition=~"{types}",status="true"}}) == 1',
        wait=row.get("for", ""),
        severity=row["severity"],
        summary=f"Node {{{{ $labels.node }}}}: {row['meaning']}.",
        description=f"Its condition {{{{ $labels.condition }}}} is true. {row['remedy']} Nothing does so by itself: "
        "see runbook/gpu-health.sh.",
        rows=own,
    )

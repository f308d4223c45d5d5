"""For programs: the complete plan, in the versioned envelope."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from gitgpu.compare import AtLimits, Change, ClusterChange, Field, Kind, OverlayObject, PoolChange, Rollout, Upgrade
from gitgpu.compare.delivery import Fate
from gitgpu.report.comparison.planned import PlanFormat, Planned, RingChanges
from gitgpu.report.comparison.pools import totals
from gitgpu.report.comparison.transitions import step_content
from gitgpu.report.envelope import envelope
from gitgpu.report.findings import Style


def _render(plan: Planned, _style: Style) -> str:
    return envelope("Plan", plan_content(plan))


def plan_content(plan: Planned) -> dict[str, Any]:
    """The keys of the document, without those of the envelope."""
    clusters = [_cluster(cluster) for cluster in plan.clusters if cluster.is_changed]
    summary = {"clusters": len(clusters), **{kind.value: 0 for kind in Kind}, "poolsThatLoseNodes": 0}
    for cluster in plan.clusters:
        for kind in Kind:
            summary[kind.value] += cluster.count(kind)
        summary["poolsThatLoseNodes"] += sum(pool.touches_nodes for pool in cluster.pools)
    content = {"against": plan.against, "currency": plan.currency or None, "clusters": clusters, "summary": summary}
    content["transitions"] = [step_content(step) for step in plan.steps]
    if plan.rings:
        content["rings"] = [_ring(ring) for ring in plan.by_ring()]
    return content


def _ring(ring: RingChanges) -> dict[str, Any]:
    return {
        "name": ring.name or None,
        "clusters": [cluster.name for cluster in ring.clusters],
        "total": ring.total,
    }


def _cluster(cluster: ClusterChange) -> dict[str, Any]:
    return {
        "name": cluster.name,
        "change": cluster.kind.value,
        "engine": cluster.engine or None,
        "objects": {kind.value: cluster.count(kind) for kind in Kind},
        "pools": [_pool(pool) for pool in cluster.pools],
        "atLimits": {side: _totals(cluster.pools, after=side == "after") for side in ("before", "after")},
        "changes": [_change(change) for change in cluster.changes],
        "leaving": [_fate(fate) for fate in cluster.fates],
        "effects": [{"object": effect.object, "text": effect.text} for effect in cluster.effects],
        "upgrade": _upgrade(cluster.upgrade),
        "order": [{"layer": step.layer, "by": step.by or None, "after": list(step.after)} for step in cluster.steps],
    }


def _upgrade(upgrade: Upgrade | None) -> dict[str, Any] | None:
    return upgrade and {
        "before": upgrade.before,
        "after": upgrade.after,
        "back": upgrade.back,
        "pools": [_pool(pool) for pool in upgrade.pools],
    }


def _fate(fate: Fate) -> dict[str, Any]:
    return {"object": _object(fate.object), "stays": fate.stays, "reason": fate.reason}


def _pool(pool: PoolChange) -> dict[str, Any]:
    return {
        "name": pool.name,
        "kind": pool.of,
        "change": pool.kind.value if pool.kind else "none",
        "nodesReplaced": pool.replaced,
        "reason": pool.reason,
        "needsNewPool": list(pool.refused),
        "renamedTo": pool.successor or None,
        "stops": list(pool.stops),
        "atLimits": {"before": _limits(pool.before), "after": _limits(pool.after)},
        "roll": _roll(pool.roll),
    }


def _limits(limits: AtLimits | None) -> dict[str, Any] | None:
    if limits is None:
        return None
    price = _number(limits.price)
    return {
        "nodes": limits.nodes,
        "gpus": limits.gpus,
        "pricePerHour": price,
        "unpriced": list(limits.unpriced),
        "priceDate": limits.date or None,
    }


def _roll(roll: Rollout | None) -> dict[str, Any] | None:
    if roll is None:
        return None
    return {
        "nodes": roll.nodes,
        "atOnce": roll.at_once,
        "waves": roll.waves,
        "minutes": roll.minutes,
        "minutesAtLimits": roll.slowest,
        "closedHoursPerWeek": roll.closed,
        "drainBound": roll.drain,
        "blocked": roll.blocked or None,
    }


def _totals(pools: Sequence[PoolChange], *, after: bool) -> dict[str, Any]:
    sums = totals(pools, after=after)
    return {"gpus": sums.gpus, "pricePerHour": _number(sums.price)}


def _change(change: Change) -> dict[str, Any]:
    return {
        "object": _object(change.object),
        "file": change.object.path,
        "change": "none" if change.is_silent else change.kind.value,
        "fields": [_field(field) for field in change.fields],
        "writtenDefaults": list(change.written),
    }


def _object(obj: OverlayObject) -> dict[str, str]:
    return {"kind": obj.identity.kind, "namespace": obj.identity.namespace, "name": obj.identity.name}


def _field(field: Field) -> dict[str, Any]:
    return {"path": field.path, "before": field.before, "after": field.after}


def _number(price: Decimal | None) -> float | None:
    return None if price is None else float(round(price, 4))


FORMAT = PlanFormat("json", _render)

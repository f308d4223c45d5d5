"""Reports changes of pools: how many nodes are lost, how they are replaced, how far pools can grow."""

from collections import Counter
from collections.abc import Iterator, Sequence
from decimal import Decimal
from operator import attrgetter
from typing import Any, NamedTuple

from gitgpu.compare import AtLimits, ClusterChange, Kind, PoolChange, Rollout, Upgrade
from gitgpu.report.comparison.totals import growth_of, without
from gitgpu.report.price_dates import price_date_note
from gitgpu.spelling import comma_separated, count_text

_VERBS = {Kind.ADDED: "add", Kind.CHANGED: "change", Kind.REMOVED: "remove"}
_NAMED = 4  # sizes that a line names


def head(clusters: Sequence[ClusterChange]) -> str:
    """The summary: how many objects change, and how many nodes are lost."""
    pools: list[PoolChange] = []
    objects: Counter[Kind] = Counter()
    for cluster in clusters:
        pools += cluster.pools
        objects.update({kind: cluster.count(kind) for kind in Kind})
    numbers = ", ".join(f"{objects[kind]:,} to {verb}" for kind, verb in _VERBS.items())
    parts = [numbers, *_losses(pools)]
    raised_clusters = [cluster for cluster in clusters if cluster.upgrade]
    parts += [f"{count_text(len(raised_clusters), 'cluster')} with a new Kubernetes version"] if raised_clusters else []
    return "; ".join(parts)


def _losses(pools: Sequence[PoolChange]) -> Iterator[str]:
    for part in ("all", "some"):
        # Removed pools are counted below.
        hit = [pool for pool in pools if pool.replaced == part and pool.kind is not Kind.REMOVED]
        if hit:
            verb = "replaces" if len(hit) == 1 else "replace"
            yield f"{count_text(len(hit), 'pool')} {verb} {part} nodes{size([pool.before for pool in hit])}"
    for text, hit in (
        ("to be recreated", [pool for pool in pools if pool.refused]),
        ("removed", [pool for pool in pools if pool.kind is Kind.REMOVED]),
    ):
        if hit:
            yield f"{count_text(len(hit), 'pool')} {text}"


def size(limits: Sequence[AtLimits | None]) -> str:
    """` (up to 8 nodes, 32 GPUs)`; empty if unknown."""
    nodes, gpus = total([limit and limit.nodes for limit in limits]), total([limit and limit.gpus for limit in limits])
    parts = []
    if nodes is not None:
        parts.append(count_text(nodes, "node"))
    if gpus is not None:
        parts.append(count_text(gpus, "GPU"))
    return f" (up to {', '.join(parts)})" if parts else ""


def total(numbers: Sequence[Any]) -> Any:
    """The sum; None if one of the numbers is unknown."""
    return None if None in numbers else sum(numbers)


class Totals(NamedTuple):
    """The sums over all pools of a cluster at their limits; None is unknown or unlimited."""

    gpus: int | None
    price: Decimal | None


def totals(pools: Sequence[PoolChange], *, after: bool) -> Totals:
    """The sum over the pools of one side."""
    sides = map(attrgetter("after" if after else "before"), pools)
    # A new pool has nothing before the change, a removed pool nothing after it.
    limits = [side for side in sides if side is not None]
    return Totals(total([side.gpus for side in limits]), total([side.price for side in limits]))


def growth(pools: Sequence[PoolChange], currency: str, today: str = "") -> Iterator[str]:
    """How far all pools of a cluster can grow, if the change affects that; old prices are marked."""
    before, after = totals(pools, after=False), totals(pools, after=True)
    if before.gpus != after.gpus:
        yield f"GPUs at the limits: {_amount(before.gpus)} -> {_amount(after.gpus)}"
    price = growth_of([(pool.name, pool) for pool in pools], attrgetter("price"))
    if price.before != price.after or (price.unknown and any(pool.before != pool.after for pool in pools)):
        unit = f"{currency}/hour, on-demand{_dates(pools, today)}".strip()
        text = f"{price.text(2)} {unit}{without(price.unknown)}" if len(price.unknown) < len(pools) else "unknown"
        yield f"price at the limits: {text}{_unpriced(pools)}"


def _dates(pools: Sequence[PoolChange], today: str) -> str:
    """`, prices of 2026-06-18`, or with two dates if a newer catalog has other prices; empty if there are none."""
    sides = (side for pool in pools for side in (pool.before, pool.after) if side)
    return price_date_note((side.date for side in sides if side.date), today)


def _unpriced(pools: Sequence[PoolChange]) -> str:
    """` (no price for A, B)`; empty if all prices are known."""
    limits = (side for pool in pools for side in (pool.before, pool.after) if side)
    sizes = dict.fromkeys(size for side in limits for size in side.unpriced)
    return f" (no price for {comma_separated(tuple(sizes), _NAMED)})" if sizes else ""


def _amount(number: int | None) -> str:
    """A number; `unknown` if it is unknown or unlimited."""
    return "unknown" if number is None else f"{number:,}"


def rolling(pool: PoolChange) -> str:
    """How the nodes are replaced, as text; empty if unknown."""
    return rollout_text(pool.roll) if pool.roll else ""


def rollout_text(roll: Rollout) -> str:
    """How nodes are replaced, as text."""
    if roll.blocked:
        return f"blocked: {roll.blocked}"
    parts = [f"{count_text(roll.at_once, 'node')} at a time" if roll.at_once is not None else "as the budgets allow"]
    parts += [f"{count_text(roll.waves, 'wave')} for {count_text(roll.nodes or 0, 'node')}"] if roll.waves else []
    parts += [f"{_times(roll)} while budgets are open"] if roll.minutes is not None else []
    parts += [_pauses(roll)] if roll.closed else []
    parts += [f"drains end after {roll.drain}" if roll.drain else "drains have no time limit"]
    return ", ".join(parts)


def _pauses(roll: Rollout) -> str:
    """When budgets allow nothing; weeks differ if they depend on the day of the month."""
    rounded = round(roll.closed, 1)
    hours = f"{rounded:g} hours per week" if rounded else "less than 0.1 hours per week"
    return f"paused on some days, for {hours} on average" if roll.varies else f"paused for {hours}"


def _times(roll: Rollout) -> str:
    """How long it takes; a pool at its limits replaces its nodes one at a time."""
    quick, slow = minutes(roll.minutes or 0), minutes(roll.slowest or 0)
    return quick if quick == slow else f"{quick} ({slow} for a pool at its limits, one node at a time)"


def minutes(length: int) -> str:
    """A duration: `1 h 30 min`."""
    hours, rest = divmod(length, 60)
    if not hours:
        return f"{rest} min"
    return f"{hours} h {rest} min" if rest else f"{hours} h"


def upgrading(upgrade: Upgrade) -> Iterator[str]:
    """The effect of a Kubernetes upgrade, which is not in the overlays: a headline, the reason, a line per pool."""
    start = f"Kubernetes {upgrade.before} -> {upgrade.after} in the spec"
    if upgrade.back:
        yield f"{start}: AKS and Karpenter do not support downgrades"
        return
    then = "when you upgrade the cluster:" if upgrade.pools else "no existing pool has nodes to replace"
    yield f"{start}, not applied by Flux or Argo CD; {then}"
    # Pools often have the same reason.
    yield from dict.fromkeys(pool.reason for pool in upgrade.pools)
    for pool in upgrade.pools:
        text = f"pool {pool.name}: {pool_text(pool)}{size([pool.before])}"
        yield ", ".join(filter(None, [text, rolling(pool)]))


def pool_text(pool: PoolChange) -> str:
    """What happens to the nodes of a pool, in a few words."""
    if pool.kind is Kind.REMOVED:
        return "all nodes are deleted" if pool.replaced == "all" else "removed from Git"
    if pool.refused:
        return "a new pool is needed"
    texts = {"all": "all nodes are replaced", "some": "some nodes are replaced", "none": "no node is replaced"}
    return "new" if pool.kind is Kind.ADDED else texts[pool.replaced]


def is_reported(pool: PoolChange) -> bool:
    """Whether there is anything to report about the pool."""
    return pool.kind is not None or pool.touches_nodes or bool(pool.stops)

"""How far all pools of a plan can grow, before and after it: nodes, GPUs and price at their limits."""

from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from operator import attrgetter
from typing import Any, NamedTuple

from gitgpu.compare import AtLimits, ClusterChange, PoolChange
from gitgpu.report.price_dates import price_date_note
from gitgpu.simulate.forecast import HOURS
from gitgpu.spelling import comma_separated

_NAMED = 4  # pools that a line names


class Growth(NamedTuple):
    """The sums before and after a change, over the pools for which both are known. `unknown` are the others."""

    before: Decimal
    after: Decimal
    unknown: tuple[str, ...]

    def text(self, digits: int = 0, times: int = 1) -> str:
        """`61 -> 57`, or one number if both are equal."""
        before, after = (f"{amount * times:,.{digits}f}" for amount in (self.before, self.after))
        return after if before == after else f"{before} -> {after}"


def growth_of(pools: Iterable[tuple[str, PoolChange]], amount: Callable[[AtLimits], Any]) -> Growth:
    """The sums over pools, each with its name. A new pool has nothing before, a removed one nothing after."""
    before, after, unknown = Decimal(), Decimal(), []
    for name, pool in pools:
        first, second = (Decimal() if side is None else amount(side) for side in (pool.before, pool.after))
        if first is None or second is None:
            unknown.append(name)
        else:
            before, after = before + first, after + second
    return Growth(before, after, tuple(unknown))


def without(names: Sequence[str]) -> str:
    """`, without pool a`: the pools that the sums lack; "" if there are none."""
    noun = "pool" if len(names) == 1 else "pools"
    return f", without {noun} {comma_separated(names, _NAMED)}" if names else ""


def total_line(clusters: Sequence[ClusterChange], currency: str, today: str = "") -> str:
    """`At the limits: 61 -> 57 nodes, 212 GPUs, 98.32 USD/hour, 71,774 USD/month`; "" if no pool has a known limit."""
    pools, uncounted = [], []
    for cluster in clusters:
        start = f"{cluster.name}/" if len(clusters) > 1 else ""
        pools += [(start + pool.name, pool) for pool in cluster.pools]
        uncounted += [start + name for name in cluster.uncounted]
    nodes = growth_of(pools, attrgetter("nodes"))
    limited = [(name, pool) for name, pool in pools if name not in nodes.unknown]
    if not limited:
        return ""
    gpus, price = growth_of(limited, attrgetter("gpus")), growth_of(limited, attrgetter("price"))
    sides = (side for _, pool in limited for side in (pool.before, pool.after) if side)
    parts = [f"{nodes.text()} nodes", f"{gpus.text()} GPUs"]
    if len(price.unknown) < len(limited):
        parts += [f"{price.text(2)} {currency}/hour", f"{price.text(0, HOURS)} {currency}/month"]
    text = f"At the limits: {', '.join(parts)}{price_date_note((side.date for side in sides if side.date), today)}"
    for growth, why in ((nodes, "limit"), (price, "price")):
        if growth.unknown:
            text += f"{without(growth.unknown)}, whose {why} is unknown"
    return text + (f"{without(uncounted)}, which only the runbook has" if uncounted else "")

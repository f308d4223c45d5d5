"""What people have to look at first: pods without a node, idle GPUs, unknown and old prices, uncertain verdicts."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from gitgpu.report.price_dates import old_prices
from gitgpu.report.same_clusters import title
from gitgpu.report.simulation.text import all_outcomes
from gitgpu.report.simulation.totals import known_usage, unpriced_text
from gitgpu.simulate.forecast import UNSCHEDULABLE, Forecast, Node, Verdict
from gitgpu.simulate.usage import Usage, idle_gpus, is_unrequested
from gitgpu.spelling import count_text

_MOST_WORKLOADS, _MOST_POOLS = 10, 5  # that get a line each
NOTHING = "every workload gets a node, and no GPU is idle at maximum replicas"


class Attention(NamedTuple):
    """A sentence without its period, and how urgent it is: unschedulable, uncertain or schedulable."""

    level: str
    text: str


def attention(forecasts: Sequence[Forecast], over_budget: str = "", today: str = "") -> list[Attention]:
    """The most urgent first. `over_budget` says why a budget is exceeded; prices are old compared with `today`."""
    found = [Attention("unschedulable", over_budget)] if over_budget else []
    found += map(_bad, _at_most(list(_without_node(forecasts)), _MOST_WORKLOADS, "workload"))
    found += map(_doubtful, _idle_pools(forecasts))
    found += map(_doubtful, _prices(forecasts, today))
    found += map(_doubtful, _unrequested(forecasts))
    uncertain = all_outcomes(forecasts).count("uncertain")
    if uncertain:
        share = f"{uncertain} of {count_text(len(all_outcomes(forecasts)), 'workload')}"
        found.append(Attention("uncertain", f"{share} may get other nodes, or none"))
    return found


def _bad(text: str) -> Attention:
    return Attention("unschedulable", text)


def _doubtful(text: str) -> Attention:
    return Attention("uncertain", text)


def _at_most(texts: Sequence[str], most: int, noun: str) -> list[str]:
    rest = len(texts) - most
    return [*texts[:most], f"{count_text(rest, f'more {noun}')} without a node"] if rest > 0 else list(texts)


def _without_node(forecasts: Iterable[Forecast]) -> Iterator[str]:
    """A line for each workload and reason, with the clusters that it has in common."""
    clusters: dict[tuple[str, str], list[str]] = {}
    for forecast in forecasts:
        for verdict in forecast.verdicts:
            if verdict.verdict == UNSCHEDULABLE:
                clusters.setdefault((_replicas(verdict), _first_reason(verdict)), []).append(forecast.cluster)
    for (who, why), names in clusters.items():
        yield f"{who} no node on {title(names)}{why}"


def _replicas(verdict: Verdict) -> str:
    if verdict.partly:
        left = verdict.high.replicas - verdict.high.placed
        return f"{left} of {verdict.high.replicas} replicas of {verdict.title} get"
    return f"{verdict.title} gets"


def _first_reason(verdict: Verdict) -> str:
    """Of the pool that comes nearest, which is the first."""
    if not verdict.reasons:
        return ""
    reason = verdict.reasons[0]
    return f": {f'pool {reason.pool}: ' if reason.pool else ''}{reason.message}"


def _idle_pools(forecasts: Iterable[Forecast]) -> Iterator[str]:
    """The pools with idle GPUs at maximum replicas, the most expensive first; a pool is on several clusters."""
    nodes: dict[str, list[Node]] = {}
    clusters: dict[str, dict[str, None]] = {}
    for forecast in forecasts:
        for node in forecast.high:
            nodes.setdefault(node.pool, []).append(node)
            if idle_gpus(node):
                clusters.setdefault(node.pool, {})[forecast.cluster] = None
    usages = {pool: known_usage(nodes[pool]).usage for pool in clusters}
    order = sorted(usages, key=lambda pool: (-(usages[pool].idle_price.maximum or 0), pool))
    most = _MOST_POOLS if len(order) > _MOST_POOLS + 1 else len(order)  # a line about one more pool can name it
    for pool in order[:most]:
        usage, where = usages[pool], title(list(clusters[pool]))
        share = f"{usage.idle:,} of {count_text(usage.gpus, 'GPU')} {'is' if usage.idle == 1 else 'are'} idle"
        yield f"pool {pool}: {share} on {where}{_cost([usage])}"
    if rest := [usages[pool] for pool in order[most:]]:
        yield f"{len(rest):,} more pools: {sum(usage.idle for usage in rest):,} GPUs are idle{_cost(rest)}"


def _cost(usages: Sequence[Usage]) -> str:
    maximum = sum(usage.idle_price.maximum or 0 for usage in usages)
    is_bound = any(usage.idle_price.exact is None for usage in usages)
    return f", {'up to ' if is_bound else ''}${maximum:,.2f} an hour" if maximum else ""


def _prices(forecasts: Sequence[Forecast], today: str) -> Iterator[str]:
    if unpriced := unpriced_text(forecasts):
        yield f"the costs are incomplete{unpriced}"
    if old := old_prices((forecast.priced for forecast in forecasts), today):
        yield f"{old}: gitgpu catalog refresh reads current ones"


def _unrequested(forecasts: Iterable[Forecast]) -> Iterator[str]:
    """Nodes whose pods request no GPU: whether they use one is not known."""
    number, clusters = 0, dict[str, None]()
    for forecast in forecasts:
        here = sum(map(is_unrequested, forecast.high))
        number += here
        if here:
            clusters[forecast.cluster] = None
    if number:
        verb = "has" if number == 1 else "have"
        where = title(list(clusters))
        text = f"{count_text(number, 'node')} on {where} {verb} only pods that request no GPU"
        yield f"{text}: whether they use one is not known"

"""What the nodes of a simulation add up to."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from gitgpu.report.price_dates import price_date_note
from gitgpu.report.simulation.amounts import money, span
from gitgpu.report.terminal import printable
from gitgpu.simulate.forecast import HOURS, Forecast, Node, Price
from gitgpu.simulate.usage import Usage, usage_of
from gitgpu.spelling import comma_separated, count_text

_NAMED = 4  # pools that a line names


class KnownUsage(NamedTuple):
    """What nodes cost and how much is idle, and the pools of the nodes whose price is unknown: it lacks their price."""

    usage: Usage
    unpriced: frozenset[str]


def known_usage(nodes: Iterable[Node]) -> KnownUsage:
    """The sums over the nodes. Their price is that of the nodes that have one, exact or at most."""
    counted_nodes, priced, unpriced = list(nodes), [], set()
    for node in counted_nodes:
        if node.price is None and node.maximum is None:
            unpriced.add(node.pool)
        else:
            priced.append(node)
    prices = usage_of(priced)
    usage = usage_of(counted_nodes)._replace(price=prices.price, idle_price=prices.idle_price)
    return KnownUsage(usage, frozenset(unpriced))


def total_line(title: str, forecasts: Sequence[Forecast], today: str) -> str:
    """`lab: 2..7 nodes, 4..14 GPUs, 1.50..4.51 USD/hour, 1,099..3,296 USD/month`.

    Prices are marked if they are old compared with `today`.
    """
    low, high = usages(forecasts)
    nodes = f"{span(low.nodes, high.nodes)} node{'' if high.nodes == 1 else 's'}"
    gpus = f"{span(low.gpus, high.gpus)} GPU{'' if high.gpus == 1 else 's'}"
    priced = price_date_note((forecast.priced for forecast in forecasts), today)
    number = sum(forecast.skipped for forecast in forecasts)
    skipped = f"; {count_text(number, 'workload')} without a GPU skipped" if number else ""
    cost = f"{price_range(low.price, high.price, 1, digits=2)} USD/hour"
    monthly = f"{price_range(low.price, high.price, HOURS, digits=0)} USD/month"
    dated = f"{priced}{unpriced_text(forecasts)}"
    return f"{printable(title)}: {nodes}, {gpus}, {cost}, {monthly}{dated}{_idle(low, high)}{skipped}\n"


def usages(forecasts: Sequence[Forecast]) -> tuple[Usage, Usage]:
    """The sums over all nodes at minimum and at maximum replicas."""
    low = known_usage(node for forecast in forecasts for node in forecast.low)
    high = known_usage(node for forecast in forecasts for node in forecast.high)
    return low.usage, high.usage


def _idle(low: Usage, high: Usage) -> str:
    """`; idle: 3 GPUs, 5.32 USD/hour`; "" if no GPU is idle."""
    if not (low.idle or high.idle):
        return ""
    gpus = f"{span(low.idle, high.idle)} GPU{'' if high.idle == 1 else 's'}"
    return f"; idle: {gpus}, {price_range(low.idle_price, high.idle_price, 1, digits=2)} USD/hour"


def unpriced_text(forecasts: Sequence[Forecast]) -> str:
    """` without pool a, whose price is unknown`; empty if all prices are known."""
    names = []
    for forecast in forecasts:
        start = f"{forecast.cluster}/" if len(forecasts) > 1 else ""
        pools = known_usage((*forecast.low, *forecast.high)).unpriced
        names += [printable(start + pool) for pool in sorted(pools)]
    if not names:
        return ""
    noun = "pool" if len(names) == 1 else "pools"
    return f", without {noun} {comma_separated(names, _NAMED)}, whose price is unknown"


def price_range(low: Price, high: Price, hours: int, digits: int) -> str:
    """The price of a number of hours, as `1.50..4.51`.

    The larger of two upper bounds comes first, as the amount to budget.
    """
    low, high = _price_of_hours(low, hours), _price_of_hours(high, hours)
    if high.exact is None and low.maximum is not None and high.maximum is not None and low.maximum < high.maximum:
        return f"up to {high.maximum:,.{digits}f} (from {low.maximum:,.{digits}f})"
    return span(money(*low, digits), money(*high, digits), of=(low.maximum, high.maximum))


def _price_of_hours(price: Price, hours: int) -> Price:
    exact, maximum = (None if part is None else part * hours for part in price)
    return Price(exact, maximum)


def over(forecasts: Sequence[Forecast], budget: float) -> str:
    """Why the budget is exceeded: the price of all nodes at maximum replicas, or an unknown price; "" if it is not."""
    cost = 0.0
    for forecast in forecasts:
        price, maximum = known_usage(forecast.high).usage.price
        cost += maximum or 0.0 if price is None else price
    unpriced = unpriced_text([forecast._replace(low=()) for forecast in forecasts])
    amounts = f"${cost:,.2f}/hour{unpriced}; the limit is ${budget:,.2f}/hour"
    if cost > budget:
        return f"over budget: {amounts}"
    return f"possibly over budget: {amounts}" if unpriced else ""

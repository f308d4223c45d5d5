"""What the nodes of a simulation add up to."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from gitgpu.report.price_dates import priced_on
from gitgpu.report.simulation.amounts import money, span
from gitgpu.report.terminal import printable
from gitgpu.simulate.explain.cost import of_cluster
from gitgpu.simulate.forecast import HOURS, Forecast, Node, Price
from gitgpu.spelling import comma_separated, counted

_NAMED = 4  # pools that a line names


class KnownPrice(NamedTuple):
    """The hourly price of nodes, and the pools of the nodes that it lacks because their price is unknown."""

    price: Price
    unpriced: frozenset[str]


def known_price(nodes: Iterable[Node]) -> KnownPrice:
    """The price of the nodes that have one, exact or at most."""
    priced, unpriced = [], set()
    for node in nodes:
        if node.price is None and node.maximum is None:
            unpriced.add(node.pool)
        else:
            priced.append(node)
    return KnownPrice(of_cluster(priced), frozenset(unpriced))


def total_line(title: str, forecasts: Sequence[Forecast]) -> str:
    """`lab: 2..7 nodes, 4..14 GPUs, 1.50..4.51 USD/hour, 1,099..3,296 USD/month`."""
    low = [node for forecast in forecasts for node in forecast.low]
    high = [node for forecast in forecasts for node in forecast.high]
    nodes = f"{span(len(low), len(high))} node{'' if len(high) == 1 else 's'}"
    used, most = (sum(node.gpus for node in side) for side in (low, high))
    gpus = f"{span(used, most)} GPU{'' if most == 1 else 's'}"
    priced = priced_on(forecast.priced for forecast in forecasts)
    number = sum(forecast.skipped for forecast in forecasts)
    skipped = f"; {counted(number, 'workload')} without a GPU skipped" if number else ""
    return f"{printable(title)}: {nodes}, {gpus}, {_cost(low, high)}{priced}{unpriced_text(forecasts)}{skipped}\n"


def unpriced_text(forecasts: Sequence[Forecast]) -> str:
    """` without pool a, whose price is unknown`; empty if all prices are known."""
    names = []
    for forecast in forecasts:
        start = f"{forecast.cluster}/" if len(forecasts) > 1 else ""
        pools = known_price((*forecast.low, *forecast.high)).unpriced
        names += [printable(start + pool) for pool in sorted(pools)]
    if not names:
        return ""
    noun = "pool" if len(names) == 1 else "pools"
    return f", without {noun} {comma_separated(names, _NAMED)}, whose price is unknown"


def _cost(low: Sequence[Node], high: Sequence[Node]) -> str:
    least, most = known_price(low).price, known_price(high).price
    hourly = _price_range(least, most, 1, digits=2)
    return f"{hourly} USD/hour, {_price_range(least, most, HOURS, digits=0)} USD/month"


def _price_range(low: Price, high: Price, hours: int, digits: int) -> str:
    """The price of a number of hours. The larger of two upper bounds comes first, as the amount to budget."""
    low, high = _of_hours(low, hours), _of_hours(high, hours)
    if high.exact is None and low.maximum is not None and high.maximum is not None and low.maximum < high.maximum:
        return f"up to {high.maximum:,.{digits}f} (from {low.maximum:,.{digits}f})"
    return span(money(*low, digits), money(*high, digits), of=(low.maximum, high.maximum))


def _of_hours(price: Price, hours: int) -> Price:
    exact, maximum = (None if part is None else part * hours for part in price)
    return Price(exact, maximum)


def over(forecasts: Sequence[Forecast], budget: float) -> str:
    """Why the budget is exceeded: the price of all nodes at maximum replicas, or an unknown price; "" if it is not."""
    cost = 0.0
    for forecast in forecasts:
        price, maximum = known_price(forecast.high).price
        cost += maximum or 0.0 if price is None else price
    unpriced = unpriced_text([forecast._replace(low=()) for forecast in forecasts])
    amounts = f"${cost:,.2f}/hour{unpriced}; the limit is ${budget:,.2f}/hour"
    if cost > budget:
        return f"over budget: {amounts}"
    return f"possibly over budget: {amounts}" if unpriced else ""

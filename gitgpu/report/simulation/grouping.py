"""What nodes cost, by team, namespace, label or another property of workloads or nodes."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from gitgpu.simulate.forecast import Forecast, Node, Price, Verdict
from gitgpu.simulate.usage import idle_gpus, idle_part, parts_of, price_part, sum_of

OF_NODES = ("cluster", "region", "pool", "size")
OF_WORKLOADS = ("namespace", "team", "workload")
LABEL = "label:"
WITHOUT_VALUE, WITHOUT_WORKLOAD = "(none)", "(no workload)"
_NOTHING = Price(0.0, 0.0)


class Amounts(NamedTuple):
    """The part of the nodes that is for a group: GPUs, the idle ones among them, and what both cost per hour.

    A workload has the part of a node that corresponds to the GPUs that it requests there, so idle GPUs of a node are
    for those who share it. Nodes without a price count with their GPUs only.
    """

    gpus: Fraction = Fraction()
    idle: Fraction = Fraction()
    price: Price = _NOTHING
    idle_price: Price = _NOTHING


class Group(NamedTuple):
    """The workloads or nodes with the same value, at minimum and maximum replicas; `workloads` is their number."""

    name: str
    workloads: int
    low: Amounts
    high: Amounts


def is_grouping(key: str) -> bool:
    """Whether results can be grouped by this key."""
    return key in (*OF_NODES, *OF_WORKLOADS) or key.removeprefix(LABEL) not in ("", key)


def groups(forecasts: Sequence[Forecast], key: str) -> list[Group]:
    """The groups of a key, the most expensive first; what no workload uses is a group, too."""
    low, high = _by_group(forecasts, key, at_maximum=False), _by_group(forecasts, key, at_maximum=True)
    workloads: dict[str, set[tuple[str, str]]] = {}
    for side in (low, high):
        for name, parts in side.items():
            workloads.setdefault(name, set()).update(part.workload for part in parts if part.workload)
    found = [
        Group(name, len(members), _sum(low.get(name, [])), _sum(high.get(name, [])))
        for name, members in workloads.items()
    ]
    return sorted(found, key=lambda group: (-(group.high.price.maximum or 0), group.name))


class _Part(NamedTuple):
    """A part of a node, and the workload that it is for, by cluster and title; None if it has no pod."""

    node: Node
    share: Fraction
    workload: tuple[str, str] | None


def _by_group(forecasts: Iterable[Forecast], key: str, *, at_maximum: bool) -> dict[str, list[_Part]]:
    found: dict[str, list[_Part]] = {}
    for forecast in forecasts:
        by_number = {verdict.number: verdict for verdict in forecast.verdicts if verdict.number is not None}
        for node in forecast.high if at_maximum else forecast.low:
            for name, part in _parts(node, forecast, by_number, key):
                found.setdefault(name, []).append(part)
    return found


def _parts(node: Node, forecast: Forecast, by_number: Mapping[int, Verdict], key: str) -> Iterator[tuple[str, _Part]]:
    values = {"cluster": forecast.cluster, "region": forecast.region, "pool": node.pool, "size": node.sku}
    if not node.shares:
        yield values.get(key, WITHOUT_WORKLOAD) or WITHOUT_VALUE, _Part(node, Fraction(1), None)
    for workload, share in parts_of(node).items():
        verdict = by_number[workload]
        name = values[key] if key in values else _value(verdict, key)
        part = _Part(node, share, (forecast.cluster, f"{verdict.kind} {verdict.title}"))
        yield name or WITHOUT_VALUE, part


def _value(verdict: Verdict, key: str) -> str:
    if key.startswith(LABEL):
        return str(verdict.labels.get(key.removeprefix(LABEL), ""))
    return {"namespace": verdict.namespace, "team": verdict.team, "workload": verdict.title}[key]


def _sum(parts: Iterable[_Part]) -> Amounts:
    gpus = idle = Fraction()
    prices, idle_prices = [], []
    for node, share, _ in parts:
        gpus += node.gpus * share
        idle += idle_gpus(node) * share
        if node.maximum is not None:
            price = Price(node.price, node.maximum)
            prices.append(price_part(price, share))
            idle_prices.append(price_part(price, share * idle_part(node)))
    return Amounts(gpus, idle, sum_of(prices), sum_of(idle_prices))

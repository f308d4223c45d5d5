"""Forecasts as CSV, for a spreadsheet: a row for each workload on each cluster, or for each group."""

import csv
from collections.abc import Iterator, Sequence
from types import SimpleNamespace

from gitgpu.report.simulation.grouping import Amounts, Group, groups
from gitgpu.report.simulation.text import outcome
from gitgpu.report.terminal import encodable, printable
from gitgpu.simulate.forecast import HOURS, Forecast, Level, Verdict

_SIDES = ("Min", "Max")  # of replicas
_OF_WORKLOADS = ("cluster", "region", "kind", "namespace", "name", "team", "verdict", "pools", "sizes")
_LEVEL = ("replicas", "placed", "nodes", "gpus", "idleGpus", "usdPerHour", "usdPerHourAtMost", "usdPerMonth")
_AMOUNTS = ("gpus", "idleGpus", "usdPerHour", "usdPerHourAtMost", "idleUsdPerHour", "idleUsdPerHourAtMost")
# A spreadsheet takes text that begins with one of these for a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def as_csv(forecasts: Sequence[Forecast], group_by: str = "") -> str:
    """The rows below their headers; unknown prices are empty."""
    lines: list[str] = []
    writer = csv.writer(SimpleNamespace(write=lines.append), lineterminator="\n")
    if group_by:
        writer.writerow([group_by.partition(":")[2] or group_by, "workloads", *_headers(_AMOUNTS), "priceDate"])
        dates = " ".join(sorted({forecast.priced for forecast in forecasts if forecast.priced}))
        writer.writerows([*_group(group), dates] for group in groups(forecasts, group_by))
    else:
        writer.writerow([*_OF_WORKLOADS, *_headers(_LEVEL), "priceDate"])
        for forecast in forecasts:
            writer.writerows(_workload(verdict, forecast) for verdict in forecast.verdicts)
    return encodable("".join(lines))


def _headers(names: Sequence[str]) -> Iterator[str]:
    for side in _SIDES:
        yield from (f"{name}{side}" for name in names)


def _group(group: Group) -> list[object]:
    return [_text(group.name), group.workloads, *_amounts(group.low), *_amounts(group.high)]


def _amounts(amounts: Amounts) -> list[object]:
    gpus = [round(float(amount), 4) for amount in (amounts.gpus, amounts.idle)]
    return [*gpus, *map(_money, (*amounts.price, *amounts.idle_price))]


def _workload(verdict: Verdict, forecast: Forecast) -> list[object]:
    names = (forecast.cluster, forecast.region, verdict.kind, verdict.namespace, verdict.name, verdict.team)
    where = (" ".join(verdict.pools), " ".join(verdict.skus))
    texts = map(_text, (*names, outcome(verdict), *where))
    return [*texts, *_level(verdict.low), *_level(verdict.high), forecast.priced]


def _level(level: Level) -> list[object]:
    monthly = None if level.price is None else level.price * HOURS
    numbers = (level.replicas, level.placed, level.nodes, level.gpus, level.idle)
    return [*numbers, *map(_money, (level.price, level.maximum, monthly))]


def _money(amount: float | None) -> str:
    return "" if amount is None else f"{amount:.4f}"


def _text(value: str) -> str:
    shown = printable(value)
    return f"'{shown}" if shown.startswith(_FORMULA) else shown

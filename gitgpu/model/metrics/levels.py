"""Queries whose result does not grow with the load of all pods together, such as averages and quantiles."""

import re

from gitgpu.model.catalog import Catalog
from gitgpu.model.metrics.promql import COMPARISONS, Part, selectors

_EXPORTERS = ("dcgm", "amd")  # rows of catalog/series
_EXTREMES = ("max", "min", "quantile")
# Functions that return one value for every series, without changing what it means.
_KEEPING = {
    "abs",
    "avg_over_time",
    "ceil",
    "clamp",
    "clamp_max",
    "clamp_min",
    "floor",
    "last_over_time",
    "max_over_time",
    "min_over_time",
    "quantile_over_time",
    "round",
    "scalar",
}
# Several pods may report the length of the same queue, so that its average is that length.
_SHARED = re.compile("queue|message|backlog|_lag", re.IGNORECASE)


def level(query: Part | None, catalog: Catalog) -> str:
    """What makes the whole query an average, a quantile or the like, such as "avg(...)"; "" if nothing does.

    A HorizontalPodAutoscaler divides such a result by the number of replicas again if the metric type is AverageValue,
    the default. Constant factors, bounds and comparisons with a number around it change nothing.
    """
    if query is None or query.by or query.without:
        return ""
    if query.kind == "aggregation":
        return f"{query.name}(...)" if _levels(query, catalog) else ""
    if query.name == "histogram_quantile":
        return "histogram_quantile(...)"
    if query.kind == "call" and query.name in _KEEPING:
        return level(query.parts[-1] if query.name == "quantile_over_time" else query.parts[0], catalog)
    if query.kind == "operation" and len(query.parts) == 2:
        return _operation_level(query, catalog)
    return ""


def _operation_level(query: Part, catalog: Catalog) -> str:
    left, right = query.parts
    if query.name == "/" and _is_mean(left, right):
        return "a mean (_sum divided by _count)"
    if right.kind == "number" and query.name in ("*", "/", "+", "-", *COMPARISONS):
        return level(left, catalog)
    if left.kind == "number" and query.name in ("*", "+"):
        return level(right, catalog)
    return level(left, catalog) if query.name == "or" and right.name == "vector" else ""


def _is_mean(total: Part, number: Part) -> bool:
    """Whether a quotient is the mean of a histogram or summary: the sum of its values by their number."""
    totals, numbers = selectors(total), selectors(number)
    if len(totals) != 1 or len(numbers) != 1:
        return False
    name = totals[0].metric.removesuffix("_sum")
    return totals[0].metric == f"{name}_sum" and numbers[0].metric == f"{name}_count"


def _levels(query: Part, catalog: Catalog) -> bool:
    """Whether an aggregation does not grow with the number of pods."""
    metrics = [selector.metric for selector in selectors(query)]
    if query.name == "avg":
        prefixes = tuple(row["prefix"] for row in catalog.rows("series").values())
        return any(metric.startswith(prefixes) or not _SHARED.search(metric) for metric in metrics)
    # The largest of other metrics may be right: several pods can report the length of one queue.
    exporters = tuple(catalog.must("series", name)["prefix"] for name in _EXPORTERS)
    fractions = {name for row in catalog.rows("series").values() for name in row.get("fractions", ())}
    return query.name in _EXTREMES and any(name.startswith(exporters) or name in fractions for name in metrics)

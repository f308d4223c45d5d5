"""The unit of a PromQL query of GPU metrics, if the query does not change it."""

from collections.abc import Collection

from gitgpu.model.metrics.promql import Part, selectors

_OVER_TIME = ("avg_over_time", "last_over_time", "max_over_time", "min_over_time", "quantile_over_time")
_ACTS = ("call", "aggregation")
# These return a value between the smallest and the largest of their input, so the unit is kept.
_AVERAGES = ("avg", "max", "min", "quantile", *_OVER_TIME)


def measured_field(query: Part | None, fields: Collection[str], *, sums: bool = False) -> str:
    """The first field in a query that keeps the unit of its fields; "" for other queries.

    All series of the query must be among the fields. With `sums`, a sum keeps the unit, which is enough for a lower
    bound.
    """
    names = {selector.metric for selector in selectors(query)}
    if query is None or not names or not names <= set(fields):
        return ""
    kept = (*_AVERAGES, "sum") if sums else _AVERAGES
    for part in query.walk():
        if part.kind == "operation" or (part.kind in _ACTS and part.name not in kept):
            return ""
    return min(names)

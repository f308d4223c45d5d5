"""In which unit the GPU metrics of a PromQL query are, where the query leaves their numbers as they are."""

from collections.abc import Collection

from gitgpu.model.metrics.promql import Part, selectors

_OVER_TIME = ("avg_over_time", "last_over_time", "max_over_time", "min_over_time", "quantile_over_time")
_ACTS = ("call", "aggregation")
# These return a value between the smallest and the largest of their input, so the unit is kept.
_AVERAGES = ("avg", "max", "min", "quantile", *_OVER_TIME)


def measured(query: Part | None, fields: Collection[str], *, sums: bool = False) -> str:
    """The first field that a query asks for and whose numbers it leaves as they are; "" for none.

    All series of the query must be among the fields. With `sums`, a sum leaves them too: right for a lower bound.
    """
    names = {selector.metric for selector in selectors(query)}
    if query is None or not names or not names <= set(fields):
        return ""
    kept = (*_AVERAGES, "sum") if sums else _AVERAGES
    for part in query.all:
        if part.kind == "operation" or (part.kind in _ACTS and part.name not in kept):
            return ""
    return min(names)

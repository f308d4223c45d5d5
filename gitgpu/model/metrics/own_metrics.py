"""Queries whose series all end with the last pod, so that nothing can scale up from zero on them."""

from gitgpu.model.catalog import Catalog
from gitgpu.model.metrics.promql import Part, selectors

_OF_ABSENCE = ("absent", "absent_over_time")


def reporters(query: Part | None, catalog: Catalog) -> tuple[str, ...]:
    """What reports the series of a query, without duplicates; () if one of them is unknown or exists without pods."""
    if _outlasts_pods(query):
        return ()
    names = [reporter(selector.metric, catalog) for selector in selectors(query)]
    return tuple(dict.fromkeys(names)) if all(names) else ()


def reporter(metric: str, catalog: Catalog) -> str:
    """What reports a metric that ends with the pods, such as "the vLLM servers"; "" for any other metric."""
    for row in catalog.rows("series").values():
        if metric.startswith(row["prefix"]) and metric not in row["lasting"]:
            return row["by"] or ""
    return ""


def _outlasts_pods(query: Part | None) -> bool:
    """Whether the query has a value above 0 when the series are gone, such as `... or vector(1)`."""
    for part in query.walk() if query else ():
        is_constant = part.name == "vector" and any(argument.number > 0 for argument in part.parts)
        if part.kind == "call" and (is_constant or part.name in _OF_ABSENCE):
            return True
    return False

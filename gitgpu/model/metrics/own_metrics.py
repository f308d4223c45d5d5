"""Queries whose series all end with the last pod, so that nothing can scale up from zero on them."""

from gitgpu.model.catalog import Catalog
from gitgpu.model.metrics.promql import Part, selectors


def reporters(query: Part | None, catalog: Catalog) -> tuple[str, ...]:
    """What reports the series of a query, without duplicates; () if one of them is unknown or exists without pods."""
    names = [reporter(selector.metric, catalog) for selector in selectors(query)]
    return tuple(dict.fromkeys(names)) if all(names) else ()


def reporter(metric: str, catalog: Catalog) -> str:
    """What reports a metric that ends with the pods, such as "the vLLM servers"; "" for any other metric."""
    for row in catalog.rows("series").values():
        if metric.startswith(row["prefix"]) and metric not in row["lasting"]:
            return str(row["by"])
    return ""

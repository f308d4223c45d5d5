"""The labels in selectors of queries for GPU metrics."""

from gitgpu.model.catalog import Facts
from gitgpu.model.metrics.promql import read_query, selectors


def selected_labels(query: str, row: Facts) -> list[str]:
    """The labels in selectors of the metrics of a row of `series`, without duplicates.

    Selectors of recording rules are omitted.
    """
    labels: dict[str, None] = {}
    for selector in selectors(read_query(query)):
        if selector.metric.startswith(row["prefix"]) and ":" not in selector.metric:
            labels |= dict.fromkeys(matcher.label for matcher in selector.matchers)
    return list(labels)

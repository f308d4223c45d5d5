"""Queries of GPU metrics whose answer does not grow with the number of pods."""

from gitgpu.model.catalog import Catalog
from gitgpu.model.metrics.promql import Part, selectors

_LEVEL = ("avg", "max", "min", "quantile")  # of a percentage, these stay the same however many GPUs are busy
_EXPORTERS = ("dcgm", "amd")  # rows of catalog/series


def around_gpu_metrics(query: Part, catalog: Catalog) -> bool:
    """Is the whole query one average (maximum, minimum, quantile) of a GPU metric?

    HorizontalPodAutoscalers divide such an answer by the number of replicas once more when the metric type is
    AverageValue, the default.
    """
    # Of other metrics an average may be right: several pods can report the length of one queue.
    prefixes = tuple(catalog.must("series", name)["prefix"] for name in _EXPORTERS)
    metrics = (selector.metric for selector in selectors(query))
    return query.name in _LEVEL and any(metric.startswith(prefixes) for metric in metrics)

"""Queries of GPU metrics whose result does not grow with the number of pods."""

from gitgpu.model.catalog import Catalog
from gitgpu.model.metrics.promql import Part, selectors

_LEVEL = ("avg", "max", "min", "quantile")  # of percentages: these do not depend on the number of busy GPUs
_EXPORTERS = ("dcgm", "amd")  # rows of catalog/series


def around_gpu_metrics(query: Part, catalog: Catalog) -> bool:
    """Whether the whole query is one average (maximum, minimum, quantile) of a GPU metric.

    A HorizontalPodAutoscaler divides such a result by the number of replicas again if the metric type is AverageValue,
    the default.
    """
    # An average of other metrics may be right: several pods can report the length of one queue.
    prefixes = tuple(catalog.must("series", name)["prefix"] for name in _EXPORTERS)
    metrics = (selector.metric for selector in selectors(query))
    return query.name in _LEVEL and any(metric.startswith(prefixes) for metric in metrics)

"""Metrics that disappear with the last pod of the workload that reports them."""

from collections.abc import Iterator

from gitgpu.model.catalog import Catalog
from gitgpu.model.fleet import Workload
from gitgpu.model.inputs import Inputs
from gitgpu.model.metrics.own_metrics import reporters
from gitgpu.model.metrics.promql import read_query
from gitgpu.model.spec.scaling import Scaling, Signal


def stuck_at_zero(inputs: Inputs) -> Iterator[tuple[Workload, Scaling]]:
    """Workloads that scale to zero and never back, because every signal disappears with the last pod.

    SCL067 reports Jobs.
    """
    for workload in inputs.workloads:
        scaling = workload.scaling
        if scaling is None or workload.job is not None or scaling.lowest > 0:
            continue
        if all(
            is_own_metric(signal, inputs.catalog) or own_query(signal, inputs.catalog) for signal in scaling.signals
        ):
            yield workload, scaling


def is_own_metric(signal: Signal, catalog: Catalog) -> bool:
    """Whether it is a GPU metric: exporters report these only for pods that use a GPU."""
    return catalog.facts("metrics", signal.metric) is not None


def own_query(signal: Signal, catalog: Catalog) -> tuple[str, ...]:
    """Who reports the series of a query, if all of them disappear with the last pod; () otherwise."""
    return reporters(read_query(signal.query), catalog) if signal.metric == "query" and signal.query else ()

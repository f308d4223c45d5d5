"""Metrics that end with the last pod of the workload that reports them."""

from collections.abc import Iterator

from gitgpu.model.catalog import Catalog
from gitgpu.model.fleet import Workload
from gitgpu.model.inputs import Inputs
from gitgpu.model.metrics.own_metrics import reporters
from gitgpu.model.metrics.promql import read
from gitgpu.model.spec.scaling import Scaling, Signal


def stuck_at_zero(inputs: Inputs) -> Iterator[tuple[Workload, Scaling]]:
    """Workloads that go to zero and never come back: every signal ends with the last pod. Jobs are SCL067's."""
    for workload in inputs.workloads:
        scaling = workload.scaling
        if scaling is None or workload.job is not None or scaling.lowest > 0:
            continue
        if all(
            is_own_metric(signal, inputs.catalog) or own_query(signal, inputs.catalog) for signal in scaling.signals
        ):
            yield workload, scaling


def is_own_metric(signal: Signal, catalog: Catalog) -> bool:
    """Is it a GPU metric, which exporters report for the pods that use a GPU?"""
    return catalog.facts("metrics", signal.metric) is not None


def own_query(signal: Signal, catalog: Catalog) -> tuple[str, ...]:
    """Who reports the series of a query, when all of them end with the last pod; () otherwise."""
    return reporters(read(signal.query), catalog) if signal.metric == "query" and signal.query else ()

"""Workloads that scale, with their clusters and signals."""

from collections.abc import Iterable, Iterator
from itertools import chain

from gitgpu.model.catalog import Facts
from gitgpu.model.fleet import Cluster, Model, Pool, Workload
from gitgpu.model.inputs import Inputs
from gitgpu.model.spec.scaling import Scaling, Signal
from gitgpu.source import Pointer


def clusters_of(inputs: Inputs, workload: Workload | Model) -> tuple[Cluster, ...]:
    """The clusters that have one of the workload's pools, sorted by name."""
    return clusters_with(inputs, inputs.pools_of(workload))


def clusters_with(inputs: Inputs, pools: Iterable[Pool]) -> tuple[Cluster, ...]:
    """The clusters that have one of these pools, sorted by name."""
    return inputs.clusters_named(chain.from_iterable(pool.clusters for pool in pools))


def scaled_workloads(inputs: Inputs) -> Iterator[tuple[Workload, Scaling, tuple[Cluster, ...]]]:
    """Every workload with scaling and its clusters."""
    for workload in inputs.workloads:
        if workload.scaling:
            yield workload, workload.scaling, clusters_of(inputs, workload)


def can_scale_from_zero(inputs: Inputs, scaling: Scaling) -> bool:
    """Whether a signal exists even without pods, so that the workload can scale to zero and back."""
    # A GPU metric exists only while a pod uses a GPU.
    return any(inputs.catalog.facts("metrics", signal.metric) is None for signal in scaling.signals)


def signals(inputs: Inputs) -> Iterator[tuple[Workload, Scaling, Signal]]:
    """Every signal that a workload scales on."""
    for workload in inputs.workloads:
        if scaling := workload.scaling:
            for signal in scaling.signals:
                yield workload, scaling, signal


def gpu_signals(inputs: Inputs) -> Iterator[tuple[Workload, Signal, Facts]]:
    """Every GPU metric that a workload scales on, and its row in the catalog."""
    for workload, _, signal in signals(inputs):
        if row := inputs.catalog.facts("metrics", signal.metric):
            yield workload, signal, row


def asks_prometheus(scaling: Scaling) -> bool:
    """Whether one of the signals comes from Prometheus."""
    return not all(signal.in_azure for signal in scaling.signals)


def clusters_asking_prometheus(inputs: Inputs) -> set[str]:
    """The names of the clusters on which a workload scales on a signal from Prometheus."""
    names: set[str] = set()
    for _, scaling, clusters in scaled_workloads(inputs):
        if asks_prometheus(scaling):
            names.update(cluster.name for cluster in clusters)
    return names


def queries(inputs: Inputs) -> Iterator[tuple[Workload, str, Pointer]]:
    """Every query that a workload defines to scale on, and its place."""
    for workload, _, signal in signals(inputs):
        if signal.metric == "query" and signal.query:
            yield workload, signal.query, (*signal.place, "query")

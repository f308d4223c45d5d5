"""Workloads that scale, with the clusters that they run on and what they ask."""

from collections.abc import Iterator

from gitgpu.model.fleet import Cluster, Scaling, Workload
from gitgpu.model.inputs import Inputs
from gitgpu.source import Pointer


def clusters_of(inputs: Inputs, workload: Workload) -> tuple[Cluster, ...]:
    """The clusters that have one of the workload's pools, in order of name."""
    names = {name for pool in inputs.pools_of(workload) for name in pool.clusters}
    return tuple(cluster for cluster in inputs.clusters if cluster.name in names)


def scaled(inputs: Inputs) -> Iterator[tuple[Workload, Scaling, tuple[Cluster, ...]]]:
    """Every workload with scaling and its clusters."""
    for workload in inputs.workloads:
        if workload.scaling:
            yield workload, workload.scaling, clusters_of(inputs, workload)


QUERY: Pointer = ("spec", "scaling", "query")


def queries(inputs: Inputs) -> Iterator[tuple[Workload, str]]:
    """Every workload that scales on a query of its own, and the query."""
    for workload in inputs.workloads:
        scaling = workload.scaling
        if scaling and scaling.metric == "query" and scaling.query:
            yield workload, scaling.query

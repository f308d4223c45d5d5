"""GPUs by resource claim: where a cluster asks for it, and which workloads it is about."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from gitgpu.check.scaled import clusters_of
from gitgpu.check.written import stack_place
from gitgpu.model.fleet import Cluster, Pool, Workload
from gitgpu.model.inputs import Inputs, is_claimed
from gitgpu.model.origin import Origin
from gitgpu.source import Pointer

DRA = "dra"


class Use(NamedTuple):
    """A workload on a cluster, with its pools there: those whose GPUs are claimed, and the others."""

    workload: Workload
    cluster: Cluster
    claimed: tuple[Pool, ...]
    counted: tuple[Pool, ...]


def asking(inputs: Inputs, clusters: Iterable[Cluster]) -> Iterator[tuple[tuple[Origin, Pointer], list[Cluster]]]:
    """Each place that says that GPUs are claimed, and the clusters among these for which it says so."""
    found = [(stack_place(inputs, one, "allocation"), one) for one in clusters if one.stack.allocation == DRA]
    for (origin, pointer), first in found:
        there = [cluster for (other, _), cluster in found if other.ref == origin.ref]
        if first is there[0]:
            yield (origin, pointer), there


def uses(inputs: Inputs) -> Iterator[Use]:
    """Every workload on every cluster that has one of its pools."""
    for workload in inputs.workloads:
        pools = inputs.pools_of(workload)
        for cluster in clusters_of(inputs, workload):
            there = [pool for pool in pools if cluster.name in pool.clusters]
            claimed = tuple(pool for pool in there if is_claimed(cluster, pool))
            yield Use(workload, cluster, claimed, tuple(pool for pool in there if pool not in claimed))

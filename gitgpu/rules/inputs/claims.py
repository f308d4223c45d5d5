"""GPUs by ResourceClaim: where the spec chooses them for a cluster, and which workloads are affected."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from gitgpu.diagnostic import ObjectRef
from gitgpu.model.driver_owner import is_claimed
from gitgpu.model.fleet import Cluster, Pool, Workload
from gitgpu.model.inputs import Inputs
from gitgpu.model.spec.origin import SpecPlace
from gitgpu.model.value_origins import stack_place
from gitgpu.rules.inputs.scaled_workloads import clusters_of

COUNTED = "device-plugin"


class Use(NamedTuple):
    """A workload on a cluster, with its pools there: those whose GPUs are claimed, and the others."""

    workload: Workload
    cluster: Cluster
    claimed: tuple[Pool, ...]
    counted: tuple[Pool, ...]


def dra_places(clusters: Iterable[Cluster]) -> Iterable[tuple[SpecPlace, list[Cluster]]]:
    """Each place that chooses ResourceClaims for GPUs, and the clusters that it applies to: all have one allocation."""
    places: dict[ObjectRef, tuple[SpecPlace, list[Cluster]]] = {}
    for cluster in clusters:
        if cluster.stack.allocation != COUNTED:
            place = stack_place(cluster, "allocation")
            _, claims = places.setdefault(place.origin.ref, (place, []))
            claims.append(cluster)
    return places.values()


def uses(inputs: Inputs) -> Iterator[Use]:
    """Every workload on every cluster with one of its pools, if it has a compute domain or any cluster uses claims."""
    any_dra = any(cluster.stack.allocation != COUNTED for cluster in inputs.clusters)
    for workload in inputs.workloads:
        if not (any_dra or workload.compute_domain):
            continue
        pools = inputs.pools_of(workload)
        for cluster in clusters_of(inputs, workload):
            own_pools = [pool for pool in pools if cluster.name in pool.clusters]
            claimed_pools = tuple(pool for pool in own_pools if is_claimed(cluster, pool))
            yield Use(workload, cluster, claimed_pools, tuple(pool for pool in own_pools if pool not in claimed_pools))

"""A workload requests its NICs in the same way on all its pools of a cluster."""

from collections.abc import Iterable, Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Pool
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import pool_with_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.scaled_workloads import clusters_of
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Workloads with rdma whose pools on a cluster have managed NICs and others."""
    for workload in inputs.workloads:
        pools = [pool for pool in inputs.pools_of(workload) if workload.rdma and pool.rdma]
        for cluster in clusters_of(inputs, workload):
            pools_here = [pool for pool in pools if cluster.name in pool.clusters]
            claimed_pools = [pool for pool in pools_here if pool.has_managed_nics]
            counted_pools = [pool for pool in pools_here if not pool.has_managed_nics]
            if claimed_pools and counted_pools:
                message = (
                    f"on {cluster.name}, pods get NICs of {_named(claimed_pools)} with claims, "
                    f"but those of {_named(counted_pools)} from a device plugin"
                )
                remedy = "set the same rdma on these pools, or use another GpuWorkload for the others"
                yield Finding(workload.origin, ("spec", "pools"), message, remedy)


def _named(pools: Iterable[Pool]) -> str:
    return join_names([pool_with_place(pool, "rdma") for pool in pools])


RULE = Rule(
    code="RDM009",
    name="nics-claimed-and-counted",
    severity=Severity.ERROR,
    summary="A workload gets NICs through claims on some pools and from a device plugin on other pools of the same "
    "cluster.",
    help="A pod requests NICs with a ResourceClaim, where AKS manages them, or as an extended resource, where the "
    "Network Operator does. A pod with one of them never runs on nodes with the other.",
    sources=("https://learn.microsoft.com/azure/aks/managed-support-for-dranet",),
    check=_check,
)

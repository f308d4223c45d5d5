"""A claim for NICs names a DeviceClass, which only the cluster knows."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import pool_with_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.scaled_workloads import clusters_of
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Workloads with rdma on pools with managed NICs, on clusters whose stack does not name the DeviceClass."""
    for workload in inputs.workloads:
        if not workload.rdma:
            continue
        managed_pools = [pool for pool in inputs.pools_of(workload) if pool.has_managed_nics and not pool.by_karpenter]
        for cluster in clusters_of(inputs, workload):
            pools_here = [pool for pool in managed_pools if cluster.name in pool.clusters]
            if pools_here and cluster.stack.rdma_device_class is None:
                names = join_names([pool_with_place(pool, "rdma") for pool in pools_here])
                message = f"the DeviceClass of the NICs of {names} on {cluster.name} is not known"
                remedy = (
                    f"set stack.rdmaDeviceClass on {cluster.name} to its name, which kubectl get deviceclasses prints"
                )
                yield Finding(workload.origin, ("spec", "rdma"), message, remedy)


RULE = Rule(
    code="RDM010",
    name="rdma-device-class-missing",
    severity=Severity.ERROR,
    summary="A workload claims InfiniBand NICs that AKS manages, and the stack does not name their DeviceClass.",
    help="A ResourceClaimTemplate names the DeviceClass of the devices. AKS creates that of managed DRANET on the "
    "cluster, and no document has its name. Create the node pool first, then look at the DeviceClasses.",
    sources=(
        "https://learn.microsoft.com/azure/aks/managed-support-for-dranet",
        "https://kubernetes.io/docs/concepts/scheduling-eviction/dynamic-resource-allocation/",
    ),
    check=_check,
)

"""What a node of a pool has for the pods of a workload."""

from gitgpu.model.aks_node_pool import bounds
from gitgpu.model.fleet import Pool, Workload
from gitgpu.model.sku import Sku


def gpus_of_node(sku: Sku, pool: Pool, workload: Workload) -> int | None:
    """The GPUs of a node, or its MIG instances for the workload; None if unknown."""
    if not pool.mig or not sku.gpus:
        return sku.gpus
    offered = offered_instances(sku.gpus, pool, workload)
    # Before the first node exists, Karpenter and the cluster autoscaler count its GPUs: they do not know that instances
    # are advertised as GPUs.
    first = pool.by_karpenter or bounds(pool).minimum == 0
    return min(offered, sku.gpus) if first and pool.mig.single else offered


def offered_instances(gpus: int, pool: Pool, workload: Workload) -> int:
    """The MIG instances that a node with these GPUs has for a workload once it runs; its GPUs without MIG."""
    return pool.mig.count_instances(gpus, workload.mig or "") if pool.mig else gpus

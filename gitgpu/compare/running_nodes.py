"""The labels of a pool's running nodes, as far as its objects and its sizes determine them."""

from collections.abc import Collection

from gitgpu.access import mapping_at, reach
from gitgpu.compare.nodes import Pool
from gitgpu.model.driver_owner import MANAGED_TAG
from gitgpu.model.names.kinds import NODE_POOL
from gitgpu.model.names.labels import (
    AGENTPOOL_LABEL,
    AMD_VGPU_LABEL,
    INSTANCE_TYPE_LABEL,
    MANAGED_GPU_LABEL,
    NODEPOOL_LABEL,
)
from gitgpu.model.names.prefixes import NFD_PREFIX
from gitgpu.objects.node.selection import Label, PoolNodes


def label(pool: Pool) -> Label:
    """The label of a pool's nodes."""
    if pool.kind == NODE_POOL.kind:
        return Label(NODEPOOL_LABEL, pool.object.identity.name)
    return Label(AGENTPOOL_LABEL, str(reach(pool.body, "spec", "azureName")))


def node_labels(pool: Pool) -> dict[str, str]:
    """The labels that its nodes are created with."""
    above = ("spec", "template", "metadata", "labels") if pool.kind == NODE_POOL.kind else ("spec", "nodeLabels")
    return {key: str(value) for key, value in mapping_at(pool.body, *above).items()}


def manages_gpus(pool: Pool) -> bool:
    """Whether AKS manages the GPU software of its nodes."""
    tags = (mapping_at(side, "spec", "tags").get(MANAGED_TAG) for side in (pool.node_class, pool.body))
    mode = reach(pool.body, "spec", "gpuProfile", "nvidia", "managementMode")
    return str(mode).lower() == "managed" or any(str(tag).lower() == "true" for tag in tags)


def running_nodes(pool: Pool) -> PoolNodes:
    """The nodes of a pool that run with these settings."""
    labels = node_labels(pool)
    if manages_gpus(pool):
        labels[MANAGED_GPU_LABEL] = "enabled"

    def values(key: str) -> Collection[str] | None:
        if key in labels:
            return (labels[key],)
        return _of_sizes(key, pool) if key == INSTANCE_TYPE_LABEL or key.startswith(NFD_PREFIX) else ()

    return PoolNodes(label(pool), values)


def _of_sizes(key: str, pool: Pool) -> Collection[str] | None:
    """The values of a label that depends on the size of a node; None if the sizes are unknown."""
    if not pool.skus:
        return None
    if key == INSTANCE_TYPE_LABEL:
        return tuple(sku.name for sku in pool.skus)
    has = [sku.manufacturer == "amd" if key == AMD_VGPU_LABEL else bool(sku.rdma) for sku in pool.skus]
    return ("true",) if any(has) else ()

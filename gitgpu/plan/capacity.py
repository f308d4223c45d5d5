"""Which machines a pool may have, and how many: Karpenter's requirements and limits.

One NodePool is for both spot and on-demand: Karpenter chooses the cheapest offering, spot is never more expensive, and
when spot runs out it falls back. Two weighted NodePools would each have the whole limit, which could double the bill.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.model.fleet import Cluster, Pool
from gitgpu.model.names.labels import (
    CAPACITY_TYPE_LABEL,
    PLACEMENT_SCOPE_LABEL,
    SKU_EPHEMERAL_OS_DISK_LABEL,
    SKU_NAME_LABEL,
    ZONE_LABEL,
)
from gitgpu.plan.decided.cluster import Requirement


def requirements(pool: Pool, cluster: Cluster) -> tuple[Requirement, ...]:
    """The requirements of the pool's NodePool, sorted by key; exactly those of the spec if it has all of them."""
    written = tuple(map(_own, pool.node_requirements))
    return written if pool.exact else tuple(sorted((*_requirements(pool, cluster), *written)))


def _requirements(pool: Pool, cluster: Cluster) -> Iterator[Requirement]:
    yield Requirement(SKU_NAME_LABEL, "In", tuple(sorted(sku.name for sku in pool.skus)))
    yield Requirement(CAPACITY_TYPE_LABEL, "In", tuple(sorted(pool.capacity)))
    if pool.zones:
        zones = tuple(f"{cluster.region}-{zone}" for zone in pool.zones)
        yield Requirement(ZONE_LABEL, "In", zones)
    if pool.placement:
        yield Requirement(PLACEMENT_SCOPE_LABEL, "In", (pool.placement,))
    if pool.image.get("ephemeralOSDisk"):
        minimum = pool.os_disk_gb - 1  # Gt, because older Karpenters have no Gte
        yield Requirement(SKU_EPHEMERAL_OS_DISK_LABEL, "Gt", (str(minimum),))


def _own(written: Mapping[str, Any]) -> Requirement:
    return Requirement(
        written["key"], written["operator"], tuple(written.get("values", ())), written.get("minValues", 0)
    )


def limits(pool: Pool) -> dict[str, str]:
    """The limits of the NodePool as quantities, GPUs first; those of a retiring pool allow no new node.

    Karpenter does not compare nodes with the limits of their pool, so a change of limits replaces no node.
    """
    if pool.objects.replicas is not None:
        return {} if pool.objects.most_nodes is None else {"nodes": str(pool.objects.most_nodes)}
    if pool.retire:
        # Karpenter does not start a node of a size that has more of a limited resource than is left, as in
        # filterByRemainingResources of kubernetes-sigs/karpenter. It does not count the GPUs of some sizes, but all
        # have CPUs.
        return {resource(pool): "0", "cpu": "0"}
    resources = dict(pool.limits.resources)
    gpus, nodes = None if resource(pool) in resources else pool.limits.gpus, pool.limits.nodes
    each = {sku.gpus for sku in pool.skus}
    # Karpenter counts a node that it plans by its GPUs, and an existing one by what its device plugin advertises. If a
    # GPU is advertised several times, a limit on the first number allows too few nodes, and one on the second too many
    # until they are ready. So nodes are limited too. If sizes differ in GPUs, no number of nodes is equivalent.
    if gpus is not None and pool.shares > 1 and len(each) == 1:
        room = gpus // (each.pop() or 1)
        gpus, nodes = gpus * pool.shares, room if nodes is None else min(nodes, room)
    amounts = {resource(pool): gpus, "cpu": pool.limits.cpu, "memory": pool.limits.memory, "nodes": nodes}
    return {key: str(value) for key, value in amounts.items() if value is not None} | resources


def resource(pool: Pool) -> str:
    """The extended resource of the pool's GPUs. Rules ensure that there is only one."""
    return pool.resource(pool.skus[0])

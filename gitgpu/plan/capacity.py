"""Which machines a pool may have and how many: Karpenter's requirements and limits.

One NodePool serves spot and on-demand together: Karpenter takes the cheapest offering, spot is never dearer, and when
spot runs out it falls back. Two weighted NodePools would each get the limit, and twice the limit is a bill.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.model.fleet import Cluster, Pool
from gitgpu.plan.decided.cluster import Requirement


def requirements(pool: Pool, cluster: Cluster) -> tuple[Requirement, ...]:
    """The requirements of the pool's NodePool, sorted by key; those of the spec if it gives them in full."""
    written = tuple(map(_own, pool.node_requirements))
    return written if pool.exact else tuple(sorted((*_requirements(pool, cluster), *written)))


def _requirements(pool: Pool, cluster: Cluster) -> Iterator[Requirement]:
    yield Requirement("karpenter.azure.com/sku-name", "In", tuple(sorted(sku.name for sku in pool.skus)))
    yield Requirement("karpenter.sh/capacity-type", "In", tuple(sorted(pool.capacity)))
    if pool.zones:
        zones = tuple(f"{cluster.region}-{zone}" for zone in pool.zones)
        yield Requirement("topology.kubernetes.io/zone", "In", zones)
    if pool.placement:
        yield Requirement("karpenter.azure.com/placement-scope", "In", (pool.placement,))
    if pool.image.get("ephemeralOSDisk"):
        least = pool.os_disk_gb - 1  # Gt, because older Karpenters have no Gte
        yield Requirement("karpenter.azure.com/sku-storage-ephemeralos-maxsize", "Gt", (str(least),))


def _own(written: Mapping[str, Any]) -> Requirement:
    return Requirement(
        written["key"], written["operator"], tuple(written.get("values", ())), written.get("minValues", 0)
    )


def limits(pool: Pool) -> dict[str, str]:
    """The NodePool's limits as quantities, GPUs first; those of a pool that retires allow no new node.

    Nodes are not compared by the limits of their pool, so a change of limits replaces no node.
    """
    if pool.objects.replicas is not None:
        return {} if pool.objects.most_nodes is None else {"nodes": str(pool.objects.most_nodes)}
    if pool.retire:
        # Karpenter starts no node of a size that has more of a limited resource than is left, as in
        # filterByRemainingResources of kubernetes-sigs/karpenter. It does not count the GPUs of some sizes, but all
        # have CPUs.
        return {resource(pool): "0", "cpu": "0"}
    resources = dict(pool.limits.resources)
    gpus, nodes = None if resource(pool) in resources else pool.limits.gpus, pool.limits.nodes
    each = {sku.gpus for sku in pool.skus}
    # Karpenter counts a node that it plans by its GPUs, and an existing one by what its device plugin advertises. If a
    # GPU is advertised several times, a limit on the first number lets too few nodes in, and one on the second too
    # many until they are up: so nodes are limited too. If sizes differ in their GPUs, no number of nodes says the same.
    if gpus is not None and pool.shares > 1 and len(each) == 1:
        room = gpus // (each.pop() or 1)
        gpus, nodes = gpus * pool.shares, room if nodes is None else min(nodes, room)
    amounts = {resource(pool): gpus, "cpu": pool.limits.cpu, "memory": pool.limits.memory, "nodes": nodes}
    return {key: str(value) for key, value in amounts.items() if value is not None} | resources


def resource(pool: Pool) -> str:
    """The extended resource of the pool's GPUs; the rules have seen to it that there is one."""
    return pool.resource(pool.skus[0])

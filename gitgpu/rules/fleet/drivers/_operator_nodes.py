"""Nodes whose driver AKS installs, and which the GPU Operator manages too."""

from collections.abc import Collection, Iterator

from gitgpu.model.driver_owner import driver_on
from gitgpu.model.fleet import Cluster, Pool
from gitgpu.model.inputs import Inputs
from gitgpu.model.names.labels import DEPLOY_OPERANDS_LABEL
from gitgpu.model.spec.origin import SpecPlace
from gitgpu.model.value_origins import pool_place
from gitgpu.rules.inputs.clusters import pools_with_clusters


def operator_pools(inputs: Inputs, drivers: Collection[str]) -> Iterator[tuple[SpecPlace, list[str]]]:
    """Pools with one of these drivers, rdma and no opt-out label, on clusters with pools of the GPU Operator.

    Each with the place that prevents the label, and the names of these clusters.
    """
    for pool, clusters in pools_with_clusters(inputs):
        # The operator manages the nodes on which Node Feature Discovery finds an NVIDIA GPU. gitgpu runs its worker
        # only on the pools of operators and on pools with rdma, so all others need no label.
        if not pool.uses_network_operator or pool.manufacturer != "nvidia" or _opts_out(pool):
            continue
        owned_clusters = [cluster for cluster in clusters if driver_on(cluster, pool) in drivers]
        if names := [cluster.name for cluster in owned_clusters if _has_operator(inputs, cluster)]:
            key = ("operatorOptOut",) if not pool.operator_opt_out else ("labels", DEPLOY_OPERANDS_LABEL)
            yield SpecPlace(*pool_place(pool, *key)), names


def _opts_out(pool: Pool) -> bool:
    return pool.operator_opt_out and DEPLOY_OPERANDS_LABEL not in pool.objects.unwanted_labels


def _has_operator(inputs: Inputs, cluster: Cluster) -> bool:
    cluster_pools = inputs.pools_on(cluster)
    return any(driver_on(cluster, pool) == "operator" and pool.manufacturer == "nvidia" for pool in cluster_pools)

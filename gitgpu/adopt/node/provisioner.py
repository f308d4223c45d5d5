"""The provisioner of a cluster, which is the default for its pools, and of pools that have another one."""

from gitgpu.access import reach
from gitgpu.adopt.adoption import Fate, GpuNodes, Outcome, SpecDocument
from gitgpu.adopt.node.node_objects import Nodes
from gitgpu.model.fleet import AUTOSCALER, FIXED, KARPENTER

_SAME_NAME = "a NodePool of the cluster has this name too, but a GpuPool has the name of its NodePool"


def with_provisioner(cluster: SpecDocument, nodes: Nodes, is_nap: bool) -> SpecDocument:
    """The Cluster with its default: nap if Azure reports node auto-provisioning, or if any GPU pool is a NodePool.

    Without a report of Azure, Karpenter can be self-hosted.
    """
    if not nodes.gpu:
        return cluster
    rest = {key: value for key, value in cluster.spec.items() if key != "provisioner"}
    if is_nap or any(pool.by_karpenter for pool in nodes.gpu):
        return cluster._replace(spec=rest)
    # None reserves the first two places for keys of `rest`, so that the provisioner comes third.
    spec = {"region": None, "kubernetesVersion": None, "provisioner": AUTOSCALER, **rest}
    return cluster._replace(spec=spec)


def own_provisioner(pool: GpuNodes, cluster: SpecDocument) -> dict[str, str]:
    """The key of a pool that differs from its cluster: an AKS node pool on a cluster with node auto-provisioning."""
    if pool.by_karpenter or cluster.spec.get("provisioner", KARPENTER) != KARPENTER:
        return {}
    scaled = reach(pool.observed.body, "spec", "enableAutoScaling") is True
    return {"provisioner": AUTOSCALER if scaled else FIXED}


def with_distinct_names(nodes: Nodes) -> tuple[Nodes, list[Outcome]]:
    """The pools without AKS node pools that have the name of a NodePool, and outcomes for these."""
    taken = {pool.name for pool in nodes.gpu if pool.by_karpenter}
    same_pools = [pool for pool in nodes.gpu if pool.name in taken and not pool.by_karpenter]
    remaining_pools = tuple(pool for pool in nodes.gpu if pool not in same_pools)
    return nodes._replace(gpu=remaining_pools), [
        Outcome(pool.observed, Fate.INEXPRESSIBLE, _SAME_NAME) for pool in same_pools
    ]

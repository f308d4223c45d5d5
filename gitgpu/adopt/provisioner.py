"""The provisioner of a cluster: a Cluster has only one, so pools of the other kind are not adopted."""

from gitgpu.adopt.adoption import Fate, Outcome, SpecDocument
from gitgpu.adopt.node.node_objects import Nodes


def with_provisioner(cluster: SpecDocument, nodes: Nodes, is_nap: bool) -> SpecDocument:
    """The Cluster with the provisioner of most of its GPU pools; nap if `is_nap` and any of them is a NodePool.

    This can differ from what Azure reports: AKS node pools can run next to node auto-provisioning, and Karpenter can be
    self-hosted.
    """
    by_karpenter = [pool.by_karpenter for pool in nodes.gpu]
    if not by_karpenter:
        return cluster
    rest = {key: value for key, value in cluster.spec.items() if key != "provisioner"}
    if (any(by_karpenter) and is_nap) or by_karpenter.count(True) * 2 >= len(by_karpenter):
        return cluster._replace(spec=rest)
    # None reserves the first two places for keys of `rest`, so that the provisioner comes third.
    spec = {"region": None, "kubernetesVersion": None, "provisioner": "cluster-autoscaler", **rest}
    return cluster._replace(spec=spec)


def of_one_provisioner(nodes: Nodes, provisioner: str) -> tuple[Nodes, list[Outcome]]:
    """The pools of this provisioner, and outcomes for the others, which are not adopted."""
    is_nap = provisioner == "nap"
    fits = tuple(pool for pool in nodes.gpu if pool.by_karpenter == is_nap)
    reason = f"the cluster also has pools with another provisioner, but a Cluster has only one, here {provisioner}"
    rest = [Outcome(pool.observed, Fate.INEXPRESSIBLE, reason) for pool in nodes.gpu if pool.by_karpenter != is_nap]
    return nodes._replace(gpu=fits), rest

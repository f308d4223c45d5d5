"""Nodes that communicate over InfiniBand need to be on one fabric."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import is_written
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.clusters import karpenter_pools_with_clusters
from gitgpu.spelling import join_names

REQUIRED, SET_UP = ("spec", "requirements", "rdma"), ("spec", "rdma")


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Karpenter pools that require or set up InfiniBand, and may have several nodes."""
    for pool, clusters in karpenter_pools_with_clusters(inputs):
        names = [cluster.name for cluster in clusters]
        # A size may have InfiniBand that the pool does not use.
        wants_rdma = pool.rdma or is_written(pool.origin, REQUIRED)
        has = pool.skus and all(sku.rdma for sku in pool.skus)
        # A single node needs no fabric.
        # RDM007 reports pools whose NICs AKS would manage.
        if names and wants_rdma and not pool.has_managed_nics and has and pool.limits.nodes != 1:
            message = f"node auto-provisioning ({join_names(names)}) does not place nodes on one InfiniBand fabric"
            remedy = "run multi-node training in an AKS node pool (provisioner: fixed); remove rdma for single nodes"
            yield Finding(pool.origin, SET_UP if pool.rdma else REQUIRED, message, remedy)


RULE = Rule(
    code="SKU017",
    name="rdma-nodes-on-different-fabrics",
    severity=Severity.WARNING,
    summary="A pool uses InfiniBand, but its nodes are not placed on one fabric.",
    help="AKS places the machines of a node pool on one fabric when the feature AKSInfinibandSupport is registered. "
    "Karpenter starts each machine separately. Two of them may or may not share a fabric.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/use-amd-gpus.md",
        "https://github.com/Azure/aks-rdma-infiniband/blob/700dabb4fe0451d482ae09a373617ed68658b021/website/docs/getting-started/02-prerequisites.md",
    ),
    check=_check,
)

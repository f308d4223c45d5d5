"""AKS manages InfiniBand on its own node pools only."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import clusters_with_provisioner
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.clusters import karpenter_pools_with_clusters
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Karpenter pools with rdma: managed."""
    for pool, clusters in karpenter_pools_with_clusters(inputs):
        if pool.has_managed_nics and clusters:
            names = join_names(clusters_with_provisioner(pool, clusters))
            message = (
                f"an AKSNodeClass has no setting for managed InfiniBand, but Karpenter creates the nodes on {names}"
            )
            remedy = "set rdma: sriov; for managed NICs, make it an AKS node pool (provisioner: cluster-autoscaler)"
            yield Finding(pool.origin, ("spec", "rdma"), message, remedy)


RULE = Rule(
    code="RDM007",
    name="managed-rdma-on-karpenter",
    severity=Severity.ERROR,
    summary="A pool on a cluster with node auto-provisioning has rdma: managed.",
    help="Managed DRANET is a property of an AKS node pool. No version of AKSNodeClass has it, and its provider does "
    "not set it on the machines that it creates.",
    sources=(
        "https://learn.microsoft.com/azure/aks/managed-support-for-dranet",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/apis/v1beta1/aksnodeclass.go",
    ),
    check=_check,
)

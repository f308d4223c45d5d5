"""The managed Kueue extension is for pools of the cluster autoscaler."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import stack_with_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.clusters import karpenter_pools_with_clusters
from gitgpu.rules.inputs.requested_sizes import sizes_place
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Karpenter pools on clusters with managed queues."""
    for pool, clusters in karpenter_pools_with_clusters(inputs):
        names = [stack_with_place(cluster, "queues") for cluster in clusters if cluster.stack.queues == "aks"]
        if names:
            message = f"the managed Kueue of {join_names(names)} does not support pools of node auto-provisioning"
            remedy = "make it an AKS node pool (provisioner: cluster-autoscaler), or set queues: none"
            yield Finding(pool.origin, sizes_place(pool), message, remedy)


RULE = Rule(
    code="QUE002",
    name="managed-queues-with-karpenter",
    severity=Severity.ERROR,
    summary="A pool of node auto-provisioning is on a cluster with queues: aks.",
    help="AKS supports the managed Kueue extension with the cluster autoscaler only; node "
    "auto-provisioning is planned.",
    sources=(
        "https://learn.microsoft.com/azure/aks/kueue-overview",
        "https://learn.microsoft.com/azure/aks/install-the-managed-kueue-extension-on-aks",
    ),
    check=_check,
)

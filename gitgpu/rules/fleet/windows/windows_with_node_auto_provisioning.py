"""Windows nodes need AKS node pools."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import clusters_with_provisioner
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.clusters import karpenter_pools_with_clusters
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Windows pools on clusters with node auto-provisioning."""
    for pool, clusters in karpenter_pools_with_clusters(inputs):
        other_clusters = [cluster for cluster in clusters if not cluster.is_automatic]  # AUT003 reports AKS Automatic
        if pool.windows and other_clusters:
            names = clusters_with_provisioner(pool, other_clusters)
            message = f"node auto-provisioning on {join_names(names)} does not support Windows nodes"
            remedy = "set provisioner: fixed, and the number of nodes"
            yield Finding(pool.origin, ("spec", "os"), message, remedy)


RULE = Rule(
    code="WIN001",
    name="windows-with-node-auto-provisioning",
    severity=Severity.ERROR,
    of_running_nodes=True,
    summary="Node auto-provisioning would create the nodes of a Windows pool.",
    help="Karpenter on AKS supports Linux images only.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/node-auto-provisioning.md",
    ),
    check=_check,
)

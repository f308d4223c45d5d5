"""AKS Automatic has no Windows nodes."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import cluster_with_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.clusters import pools_with_clusters
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    for pool, clusters in pools_with_clusters(inputs):
        automatic = [cluster for cluster in clusters if cluster.is_automatic]
        if pool.windows and automatic:
            names = join_names([cluster_with_place(cluster, "sku") for cluster in automatic])
            message = f"AKS Automatic on {names} does not support Windows nodes"
            remedy = "use a cluster with sku: base, and provisioner: fixed"
            yield Finding(pool.origin, ("spec", "os"), message, remedy)


RULE = Rule(
    code="AUT003",
    name="windows-on-automatic",
    twin="APL110",
    severity=Severity.ERROR,
    of_running_nodes=True,
    summary="A Windows pool is on a cluster with sku: automatic.",
    help="AKS Automatic supports Linux nodes only.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/includes/aks-automatic/aks-automatic-limitations.md",
    ),
    check=_check,
)

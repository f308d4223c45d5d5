"""A pool is made by Karpenter or is a node pool, not both."""

from collections.abc import Iterable, Iterator

from gitgpu.check.clusters import pools_with_clusters
from gitgpu.check.names import join_names
from gitgpu.check.node_pools import EXAMPLE
from gitgpu.check.rule import Finding, Rule
from gitgpu.check.value_origins import cluster_with_place
from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Cluster
from gitgpu.model.inputs import Inputs

BAD = f"""\
{EXAMPLE}---
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {{name: prod-eus}}
spec: {{region: eastus, kubernetesVersion: "1.36"}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {{name: t4}}
spec:
  clusters: [prod-eus, prod-swc]
  sku: Standard_NC16as_T4_v3
  limits: {{gpus: 8}}
"""
GOOD = BAD.replace("[prod-eus, prod-swc]", "[prod-swc]")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Pools on clusters of both sorts."""
    for pool, clusters in pools_with_clusters(inputs):
        found = {kind: _said(clusters, kind) for kind in (True, False)}
        if all(found.values()):
            message = (
                f"{join_names(found[True])} has the cluster autoscaler, and {join_names(found[False])} has Karpenter"
            )
            remedy = "write two GpuPools, one for each sort of cluster"
            yield Finding(pool.origin, ("spec", "clusters"), message, remedy)


def _said(clusters: Iterable[Cluster], has_node_pools: bool) -> list[str]:
    return [cluster_with_place(one, "provisioner") for one in clusters if one.has_node_pools is has_node_pools]


RULE = Rule(
    code="AGP003",
    name="pool-of-two-provisioners",
    severity=Severity.ERROR,
    summary="A pool is on clusters with Karpenter and on clusters with the cluster autoscaler.",
    help="A NodePool and a node pool are described by different words: one has several sizes, a weight and disruption "
    "budgets, the other one size and a number of nodes.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/node-auto-provisioning.md",
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/cluster-autoscaler.md",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)

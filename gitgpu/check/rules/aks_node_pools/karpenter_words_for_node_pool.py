"""What only Karpenter does cannot be asked of a node pool."""

from collections.abc import Iterator, Mapping

from gitgpu.check.names import join_names
from gitgpu.check.node_pools import EXAMPLE, node_pools
from gitgpu.check.rule import Finding, Rule
from gitgpu.check.value_origins import cluster_with_place, is_written, pool_place
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.source import Pointer

BAD = f"""\
{EXAMPLE}---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {{name: t4}}
spec:
  clusters: [prod-swc]
  sku: Standard_NC16as_T4_v3
  limits: {{gpus: 8}}
  weight: 10
"""
GOOD = BAD.replace("  weight: 10\n", "")


WORDS: Mapping[Pointer, str] = {
    ("disruption",): "remove it; when nodes go is set for the whole cluster, in its autoscaler profile",
    ("weight",): "remove it; the autoscaler's expander, which is the cluster's, chooses among pools",
    ("placement",): "write zones for nodes in zones; without them AKS makes nodes outside zones",
    ("startupTaints",): "remove it; the autoscaler would wait for pods that tolerate it",
    ("limits", "cpu"): "write nodes.max, or limits.gpus or limits.nodes",
    ("limits", "memory"): "write nodes.max, or limits.gpus or limits.nodes",
}


def check(inputs: Inputs) -> Iterator[Finding]:
    """Node pools with words of Karpenter. Disruption in the Fleet's defaults is for the other pools."""
    for pool, clusters in node_pools(inputs):
        for path, remedy in WORDS.items():
            origin, where = pool_place(inputs, pool, *path)
            if is_written(origin, where) and not (origin is inputs.fleet.origin and path == ("disruption",)):
                names = [cluster_with_place(one, "provisioner") for one in clusters]
                message = (
                    f"a node pool, as on {join_names(names)}, has no {'.'.join(map(str, path))}, which is Karpenter's"
                )
                yield Finding(origin, where, message, remedy)


RULE = Rule(
    code="AGP005",
    name="karpenter-words-for-node-pool",
    severity=Severity.ERROR,
    summary="A pool on a cluster with the cluster autoscaler has words that only Karpenter knows.",
    help="The cluster autoscaler adds nodes of one size between a fewest and a most, and removes those that are little "
    "used. It knows no budgets, no consolidation, no weight and no limits but the number of nodes.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/cluster-autoscaler.md",
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/cluster-autoscaler-overview.md",
        "https://github.com/kubernetes/autoscaler/blob/55c37cd5eb550756c5ccc5a89e9068d77797e575/cluster-autoscaler/FAQ.md",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)

"""A node pool has spot nodes or others, not both."""

from collections.abc import Iterator

from gitgpu.check.names import join_names
from gitgpu.check.node_pools import EXAMPLE, node_pools
from gitgpu.check.rule import Finding, Rule
from gitgpu.check.value_origins import cluster_with_place
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs

BAD = f"""\
{EXAMPLE}---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {{name: t4}}
spec:
  clusters: [prod-swc]
  sku: Standard_NC16as_T4_v3
  limits: {{gpus: 8}}
  capacity: [spot, on-demand]
"""
GOOD = BAD.replace("[spot, on-demand]", "[spot]")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Node pools with two types of capacity."""
    for pool, clusters in node_pools(inputs):
        if len(pool.capacity) > 1:
            names = [cluster_with_place(one, "provisioner") for one in clusters]
            message = f"a node pool, as on {join_names(names)}, has spot nodes or on-demand nodes, never both"
            remedy = "write two GpuPools, one with capacity: [spot], and both in the workload's pools"
            yield Finding(pool.origin, ("spec", "capacity"), message, remedy)


RULE = Rule(
    code="AGP007",
    name="spot-and-on-demand-in-node-pool",
    severity=Severity.ERROR,
    summary="A pool on a cluster with the cluster autoscaler has two types of capacity.",
    help="The priority of a node pool is fixed when it is made. A fallback to on-demand is a second pool, and the "
    "priority expander of the autoscaler says which is tried first.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/spot-node-pool.md",
        "https://learn.microsoft.com/azure/aks/cluster-autoscaler",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)

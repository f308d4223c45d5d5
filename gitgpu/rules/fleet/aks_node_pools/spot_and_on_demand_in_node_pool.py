"""An AKS node pool has spot or on-demand nodes, not both."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import clusters_with_provisioner
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.node_pools import node_pools
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Node pools with two capacity types."""
    for pool, clusters in node_pools(inputs):
        if len(pool.capacity) > 1 and not pool.exact:  # AGP005 reports exact requirements
            names = clusters_with_provisioner(pool, clusters)
            message = f"an AKS node pool, as on {join_names(names)}, has either spot or on-demand nodes, not both"
            remedy = "use two GpuPools, one with capacity: [spot], and name both in pools of the workload"
            yield Finding(pool.origin, ("spec", "capacity"), message, remedy)


RULE = Rule(
    code="AGP007",
    name="spot-and-on-demand-in-node-pool",
    severity=Severity.ERROR,
    of_running_nodes=True,
    summary="An AKS node pool has two capacity types.",
    help="The priority of a node pool is fixed when it is created. For a fallback to on-demand, use a second pool. "
    "The priority expander of the cluster autoscaler sets which one is tried first.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/spot-node-pool.md",
        "https://learn.microsoft.com/azure/aks/cluster-autoscaler",
    ),
    check=_check,
)

"""A taint of an AKS node pool needs a value."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import pool_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.node_pools import node_pools


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Taints of node pools without a value."""
    for pool, _ in node_pools(inputs):
        for taint in pool.taints:
            if not taint.value:
                message = f"taint {taint.key} has no value, but taints of AKS node pools need one"
                yield Finding(*pool_place(pool, "taints"), message, "add a value, such as present")


RULE = Rule(
    code="AGP011",
    name="node-pool-taint-without-value",
    severity=Severity.ERROR,
    of_running_nodes=True,
    summary="A taint of a node pool has no value.",
    help="Azure writes a taint as key=value:effect. The az command rejects a taint without a value, and the cluster "
    "autoscaler ignores it for a pool without nodes: it starts nodes for pods that cannot run there.",
    sources=(
        "https://github.com/kubernetes/autoscaler/blob/55c37cd5eb550756c5ccc5a89e9068d77797e575/cluster-autoscaler/cloudprovider/azure/azure_template.go",
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/use-node-taints.md",
    ),
    check=_check,
)

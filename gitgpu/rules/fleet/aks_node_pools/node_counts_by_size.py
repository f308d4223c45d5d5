"""Numbers of nodes for single sizes of a pool."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Pool
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import pool_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.node_pools import node_pools
from gitgpu.source import Pointer
from gitgpu.spelling import join_names

_SIZES: Pointer = ("nodes", "sizes")


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Such numbers of pools that have one number, and of sizes that the pool does not have."""
    for pool, _ in node_pools(inputs):  # AGP004 reports pools of Karpenter
        if not pool.nodes.sizes:
            continue
        if not pool.has_machines:
            message = "only a pool of virtual machines has numbers of nodes by size"
            remedy = "set agentPool: {type: VirtualMachines}, or set min and max of nodes instead"
            yield Finding(*pool_place(pool, *_SIZES), message, remedy)
        elif pool.skus:
            yield from _unknown(pool)


def _unknown(pool: Pool) -> Iterator[Finding]:
    names = {sku.name.lower(): sku.name for sku in pool.skus}
    for name in pool.nodes.sizes:
        if name.lower() not in names:
            message = f"{name} is not a size of the pool, which has {join_names(list(names.values()))}"
            yield Finding(*pool_place(pool, *_SIZES, name), message, "use one of these, or add it to sku")


RULE = Rule(
    code="AGP028",
    name="node-counts-by-size",
    severity=Severity.ERROR,
    summary="nodes.sizes names a size that the pool does not have, or the pool is a scale set.",
    help="Only an AKS node pool of type VirtualMachines has a number of nodes for each of its sizes: a manual profile, "
    "or one of the cluster autoscaler.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/virtual-machines-node-pools.md",
    ),
    check=_check,
)

"""The cluster autoscaler on a node pool of single virtual machines with GPUs."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.aks_node_pool import bounds
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import pool_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.node_pools import node_pools


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Such pools whose number of nodes is not fixed."""
    for pool, _ in node_pools(inputs):
        if pool.has_machines and bounds(pool).minimum != bounds(pool).maximum:
            message = "during its preview, the cluster autoscaler did not scale GPU nodes in a VirtualMachines pool"
            remedy = "test it first, or set min and max of nodes to one number"
            yield Finding(*pool_place(pool, "agentPool", "type"), message, remedy)


RULE = Rule(
    code="AGP027",
    name="autoscaled-gpus-in-virtual-machines-pool",
    twin="APL111",
    severity=Severity.WARNING,
    summary="A VirtualMachines pool of GPU sizes uses the cluster autoscaler.",
    help="The cluster autoscaler has supported VirtualMachines pools since September 2026. AKS's guide of August, "
    "when that was a preview, excluded GPU nodes. Whether it scales them now is not known.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/virtual-machines-node-pools.md",
        "https://github.com/Azure/AKS/issues/5464",
    ),
    check=_check,
)

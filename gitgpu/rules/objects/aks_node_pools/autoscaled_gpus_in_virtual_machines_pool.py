"""The cluster autoscaler on a VirtualMachines pool of GPU nodes."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.objects.node.agent_pools import agent_pools
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for pool in agent_pools(objects):
        is_autoscaled = pool.spec.get("type") == "VirtualMachines" and pool.spec.get("enableAutoScaling") is True
        if is_autoscaled and any(sku and sku.gpu for _, _, sku in pool.sizes(objects)):
            message = "during its preview, the cluster autoscaler did not scale GPU nodes in a VirtualMachines pool"
            remedy = "test it first, or set type: VirtualMachineScaleSets"
            yield Finding(pool.item, pool.place("enableAutoScaling"), message, remedy)


RULE = Rule(
    code="APL111",
    name="autoscaled-gpus-in-virtual-machines-pool",
    twin="AGP027",
    severity=Severity.WARNING,
    summary="A VirtualMachines pool of GPU sizes uses the cluster autoscaler.",
    help="The cluster autoscaler has supported VirtualMachines pools since September 2026. AKS's guide of August, "
    "when that was a preview, excluded GPU nodes. Whether it scales them now is not known.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/virtual-machines-node-pools.md",
        "https://github.com/Azure/AKS/issues/5464",
    ),
    facts=("skus",),
    check=_check,
)

"""A node pool that gets its driver from AKS, on a size for which AKS has none."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.objects.node.agent_pools import agent_pools
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for pool in agent_pools(objects):
        for place, name, sku in pool.sizes(objects):
            # APL002 reports a size that Azure does not offer, APL003 one with AMD GPUs.
            is_unsupported = sku and sku.gpus and not sku.os and not sku.why_gone and sku.manufacturer == "nvidia"
            if is_unsupported and pool.installs_driver:
                message = f"AKS has no GPU driver for {name}, so it installs none"
                remedy = "set gpuProfile: {driver: None} and install your own, or use a size that AKS supports"
                yield Finding(pool.item, place, message, remedy)


RULE = Rule(
    code="APL098",
    name="size-without-aks-driver",
    twin="AGP016",
    severity=Severity.WARNING,
    summary="An AKS node pool leaves the driver to AKS on a size for which AKS has no driver.",
    help="AKS installs GPU software on the sizes on its list. A node of another N-series size has no driver and no "
    "support.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/use-nvidia-gpu.md",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/utils/supported-gpus.yaml",
    ),
    facts=("skus",),
    check=_check,
)

"""An AKS node pool with a size that Azure does not offer."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.retirement import not_offered, replacement
from gitgpu.objects.node.agent_pools import agent_pools
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for pool in agent_pools(objects):
        for place, _, sku in pool.sizes(objects):
            message = not_offered(sku, objects.today) if sku else ""
            if sku and message:
                yield Finding(pool.item, place, message, f"use {replacement(sku)}")


RULE = Rule(
    code="APL002",
    name="retired-node-pool-size",
    severity=Severity.ERROR,
    summary="An AKS node pool has a GPU size that is retired, or that Azure never offered.",
    help="Azure refuses to create virtual machines of such a size, and stops those that still run.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/use-nvidia-gpu.md",
        "https://learn.microsoft.com/azure/virtual-machines/sizes/retirement/retired-sizes-list",
    ),
    facts=("skus",),
    check=_check,
)

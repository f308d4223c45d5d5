"""A size that Azure never offered."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.retirement import not_offered, replacement
from gitgpu.objects.node.candidate_sizes import named_sizes
from gitgpu.objects.node.node_pools import node_pools
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for pool in node_pools(objects):
        for place, sku in named_sizes(pool, objects):
            if sku.lifecycle.status == "never-offered":
                yield Finding(pool.item, place, not_offered(sku, objects.today), f"use {replacement(sku)}")


RULE = Rule(
    code="NPS004",
    name="never-offered-size",
    twin="SKU003",
    severity=Severity.ERROR,
    summary="A NodePool requires a size that Azure never offered.",
    help="Some names appear in documentation and code but were never on sale, and some are names of a series. "
    "Karpenter matches sizes by their exact name, so no node ever starts.",
    sources=(
        "https://learn.microsoft.com/azure/virtual-machines/vm-naming-conventions",
        "https://learn.microsoft.com/azure/virtual-machines/sizes/overview",
    ),
    check=_check,
)

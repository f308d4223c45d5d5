"""A size that Azure has retired."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.dates import is_retired, retirement
from gitgpu.model.retirement import replacement
from gitgpu.objects.node.candidate_sizes import named_sizes
from gitgpu.objects.node.node_pools import node_pools
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for pool in node_pools(objects):
        for place, sku in named_sizes(pool, objects):
            if is_retired(sku, objects.today):
                yield Finding(pool.item, place, retirement(sku), f"use {replacement(sku)}")


RULE = Rule(
    code="NPS003",
    name="retired-size",
    twin="SKU001",
    severity=Severity.ERROR,
    summary="A NodePool requires a size that Azure has retired.",
    help="Azure starts no machine of a retired size. Karpenter may still list the name, so the NodePool is Ready and "
    "its pods stay Pending.",
    sources=("https://learn.microsoft.com/azure/virtual-machines/sizes/retirement/retired-sizes-list",),
    facts=("skus",),
    check=_check,
)

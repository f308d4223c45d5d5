"""A size without a price next to sizes that have one."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.objects.node.candidate_sizes import named_sizes
from gitgpu.objects.node.node_pools import node_pools
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.spelling import join_names


def _check(objects: Objects) -> Iterator[Finding]:
    for pool in node_pools(objects):
        obtainable = [(place, sku) for place, sku in named_sizes(pool, objects) if sku.obtainable]
        priced = [sku.name for _, sku in obtainable if sku.priced]
        if not priced:  # without any price, no size is preferred
            continue
        for place, sku in obtainable:
            # None means that it is unknown whether the size has a price.
            if sku.priced is False:
                message = f"Karpenter has no price for {sku.name}, so it always prefers {join_names(priced)}"
                remedy = "move it to its own NodePool; set spec.weight to choose which comes first"
                yield Finding(pool.item, place, message, remedy)


RULE = Rule(
    code="NPS011",
    name="unpriced-size",
    twin="SKU005",
    severity=Severity.WARNING,
    summary="A NodePool lists sizes with and without a price in Karpenter's price table.",
    help="Karpenter starts the cheapest size that fits. A size that is missing from its price table counts as the "
    "most expensive, so it starts only when no other size of the NodePool is available.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/instancetype/known_skus.yaml",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/instancetype/instancetypes.go",
    ),
    check=_check,
)

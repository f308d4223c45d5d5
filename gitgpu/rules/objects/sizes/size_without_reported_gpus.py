"""A size whose GPUs Karpenter does not count."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.objects.node.candidate_sizes import named_sizes
from gitgpu.objects.node.node_pools import node_pools
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for pool in node_pools(objects):
        for place, sku in named_sizes(pool, objects):
            if sku.counted_gpus == 0 and sku.obtainable:
                message = f"Karpenter does not count GPUs on {sku.name}, so a pod that requests GPUs does not start one"
                remedy = "start the nodes in another way, such as with a pod that requests CPUs, or use another size"
                yield Finding(pool.item, place, message, remedy)


RULE = Rule(
    code="NPS016",
    name="size-without-reported-gpus",
    twin="SKU011",
    severity=Severity.WARNING,
    summary="A NodePool requires a size on which Karpenter counts no GPUs.",
    help="Karpenter reads the number of GPUs from Azure's list of sizes, which has no number for some sizes. A "
    "running node has its GPUs, but limits on GPUs do not apply and a pending GPU pod does not start a node.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/instancetype/instancetype.go",
    ),
    check=_check,
)

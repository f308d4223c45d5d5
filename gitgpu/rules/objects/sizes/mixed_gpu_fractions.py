"""Fractional GPUs in a NodePool that does not list its sizes."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.size.gpu_requirements import wants_gpus
from gitgpu.model.size.node_labels import GPU_COUNT, GPU_MAKER, GPU_NAME
from gitgpu.objects.node.candidate_sizes import by_name, place
from gitgpu.objects.node.node_pools import node_pools, sizes
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.spelling import join_names


def _check(objects: Objects) -> Iterator[Finding]:
    for pool in node_pools(objects):
        # A list of names contains the fractions on purpose.
        if by_name(pool) or not wants_gpus(pool.together):
            continue
        counted_skus = [sku for sku in sizes(pool, objects) if sku.counted_gpus]
        fractional = sorted((sku for sku in counted_skus if not sku.whole), key=lambda sku: sku.vcpus or 0)
        if fractional and len(fractional) < len(counted_skus):
            shown = join_names([f"{sku.name} ({sku.share} of a GPU)" for sku in fractional])
            message = f"a pod that requests one GPU may get only a fraction: the NodePool allows {shown}"
            remedy = "list the sizes under karpenter.azure.com/sku-name, or require more sku-cpu than these sizes have"
            yield Finding(pool.item, place(pool, GPU_NAME, GPU_MAKER, GPU_COUNT), message, remedy)


RULE = Rule(
    code="NPS014",
    name="mixed-gpu-fractions",
    twin="SKU013",
    severity=Severity.WARNING,
    summary="A NodePool allows both sizes with a fraction of a GPU and sizes with whole GPUs.",
    help="Azure divides A10 and RTX PRO 6000 GPUs. Each fraction counts as one GPU, with a share of its memory. "
    "Karpenter starts the cheapest size that fits, which is the smallest fraction unless the NodePool excludes it.",
    sources=(
        "https://learn.microsoft.com/azure/virtual-machines/sizes/gpu-accelerated/nvadsa10v5-series",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/allocationstrategy/stages/offering_rank.go",
    ),
    check=_check,
)

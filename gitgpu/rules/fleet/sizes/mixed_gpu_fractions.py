"""A pool should not mix whole GPUs and fractions of a GPU."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.size.differences import differences
from gitgpu.model.sku import Sku
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.requested_sizes import exclusion_text, sizes_place


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Pools whose sizes advertise different fractions of a GPU as one GPU."""
    for pool in inputs.pools:
        differing = differences(pool.skus, _fraction)
        if differing:
            message = f"a GPU is not the same amount on all sizes: {differing}"
            remedy = "use a separate pool for each" + exclusion_text(
                pool,
                ", or remove requirements.gpu.fractional",
                ", or exclude sizes with karpenter.azure.com/sku-name NotIn in nodeRequirements",
            )
            yield Finding(pool.origin, sizes_place(pool), message, remedy)


def _fraction(sku: Sku) -> str | None:
    """The fraction of a GPU that one GPU of the size is; None if it is unknown."""
    if not (sku.row["gpu"] and sku.row["gpu"]["share"]):
        return None
    return "a whole GPU" if sku.share == "1" else f"{sku.share} of a GPU"


RULE = Rule(
    code="SKU013",
    name="mixed-gpu-fractions",
    twin="NPS014",
    severity=Severity.WARNING,
    summary="The sizes of a pool have different fractions of a GPU.",
    help="Some sizes have a fraction of a GPU, with that fraction of its memory, and still advertise one GPU. "
    "Karpenter picks the cheapest size that fits, so a pod gets the smallest fraction.",
    sources=(
        "https://learn.microsoft.com/azure/virtual-machines/sizes/gpu-accelerated/nvadsa10v5-series",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/instancetype/instancetype.go",
    ),
    check=_check,
)

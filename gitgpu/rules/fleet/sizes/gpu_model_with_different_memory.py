"""A GPU model can have different amounts of memory."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Pool
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import is_written
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.requested_sizes import REQUIREMENTS

MEMORY = ("spec", "requirements", "gpu", "memoryGiB")


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Pools with requirements that allow GPUs of one model whose memory differs by a factor of two or more."""
    for pool in inputs.pools:
        # These pools choose their sizes themselves, or say how much memory they need.
        if pool.sizes or pool.exact or is_written(pool.origin, MEMORY):
            continue
        for model, memories in _memories(pool).items():
            # A100 has 40 or 80 GiB. The 80 and 94 GiB of H100 are close enough.
            if 2 * min(memories) <= max(memories):
                message = f"{model} can have {min(memories):g} or {max(memories):g} GiB of memory"
                remedy = f'set requirements.gpu.memoryGiB: ">={max(memories):g}" if the pods need that much'
                yield Finding(pool.origin, REQUIREMENTS, message, remedy)


def _memories(pool: Pool) -> dict[str, set[float]]:
    """The memory of the pool's whole GPUs, by model."""
    memories: dict[str, set[float]] = {}
    for sku in pool.skus:
        if sku.whole and sku.gpu:
            memories.setdefault(sku.gpu.model, set()).add(sku.gpu.memory_gib)
    return memories


RULE = Rule(
    code="SKU014",
    name="gpu-model-with-different-memory",
    severity=Severity.WARNING,
    summary="The GPUs of a pool are of one model and differ in memory by a factor of two or more.",
    help="Azure offers some GPU models with different amounts of memory. Karpenter picks the cheaper size, and a "
    "workload that needs the larger GPU runs out of memory on the smaller one.",
    sources=(
        "https://learn.microsoft.com/azure/virtual-machines/sizes/gpu-accelerated/ndasra100v4-series",
        "https://learn.microsoft.com/azure/virtual-machines/sizes/gpu-accelerated/ndma100v4-series",
    ),
    check=_check,
)

"""A model of GPU is not yet an amount of memory."""

from collections.abc import Iterator

from gitgpu.check.requested_sizes import REQUIREMENTS
from gitgpu.check.rule import Finding, Rule
from gitgpu.check.value_origins import is_written
from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Pool
from gitgpu.model.inputs import Inputs

MEMORY = ("spec", "requirements", "gpu", "memoryGiB")
BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: a100}
spec:
  clusters: [prod-swc]
  requirements: {gpu: {model: [A100], count: 8}}
  limits: {gpus: 32}
"""
GOOD = BAD.replace("count: 8", 'count: 8, memoryGiB: ">=80"')


def check(inputs: Inputs) -> Iterator[Finding]:
    """Pools by requirement whose GPUs of one model differ by half their memory or more."""
    for pool in inputs.pools:
        if pool.sizes or is_written(pool.origin, MEMORY):
            continue
        for model, memories in _memories(pool).items():
            if 2 * min(memories) <= max(memories):
                message = f"{model} may have {min(memories):g} or {max(memories):g} GiB of memory here"
                remedy = f'write requirements.gpu.memoryGiB: ">={max(memories):g}" if the pods need that much'
                yield Finding(pool.origin, REQUIREMENTS, message, remedy)


def _memories(pool: Pool) -> dict[str, set[float]]:
    """The memory of the pool's whole GPUs, by model."""
    found: dict[str, set[float]] = {}
    for gpu in (sku.gpu for sku in pool.skus if sku.whole and sku.gpu):
        found.setdefault(gpu.model, set()).add(gpu.memory_gib)
    return found


RULE = Rule(
    code="SKU014",
    name="one-model-two-memories",
    severity=Severity.WARNING,
    summary="The pool's GPUs are of one model and differ in memory by half or more.",
    help="Azure sells some models with different amounts of memory, under one name. Karpenter takes what is cheaper, "
    "and what was sized for the larger GPU fails on the smaller with out of memory.",
    sources=(
        "https://learn.microsoft.com/azure/virtual-machines/sizes/gpu-accelerated/ndasra100v4-series",
        "https://learn.microsoft.com/azure/virtual-machines/sizes/gpu-accelerated/ndma100v4-series",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)

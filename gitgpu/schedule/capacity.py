"""The capacity that Karpenter assumes for a node of a size before the node exists; limits are counted in it.

The arithmetic follows pkg/providers/instancetype/instancetype.go of Azure/karpenter-provider-azure.
"""

from collections.abc import Mapping
from decimal import ROUND_CEILING, Decimal

from gitgpu.model.names.resources import AMD_GPU, NVIDIA_GPU
from gitgpu.model.sku import Sku

GIB = 2**30
HELD_BACK = Decimal("0.075")  # the fraction of a VM's memory that Karpenter assumes to be used by the hypervisor


def capacity(sku: Sku) -> Mapping[str, Decimal | None]:
    """How much a node counts against each limit; None if that is not known."""
    # Both names are listed: a limit on the other manufacturer's GPUs counts 0, it is not unknown.
    gpus = {NVIDIA_GPU: Decimal(0), AMD_GPU: Decimal(0)}
    return {**gpus, sku.resource: _number(sku.counted_gpus), "cpu": _number(sku.vcpus), "memory": _memory(sku)}


def as_limit(key: str, amount: Decimal) -> str:
    """An amount as it is written in a limit: memory in GiB, rounded up."""
    return f"{(amount / GIB).to_integral_value(ROUND_CEILING)}Gi" if key == "memory" else f"{amount}"


def _number(fact: int | None) -> Decimal | None:
    return None if fact is None else Decimal(fact)


def _memory(sku: Sku) -> Decimal | None:
    """The memory without the part for the hypervisor. A fraction of a GiB is cut off first."""
    if sku.memory_gib is None:
        return None
    whole = Decimal(int(sku.memory_gib) * GIB)
    return whole - (whole * HELD_BACK).to_integral_value(ROUND_CEILING)

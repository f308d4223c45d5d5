"""How much Karpenter assumes a new node of a size to have left for pods.

The arithmetic follows pkg/providers/instancetype/instancetype.go (KubeReservedResources, EvictionThreshold) of
Azure/karpenter-provider-azure. Real nodes may differ: a request above the fraction `NEAR` is too close to tell.
"""

from collections.abc import Mapping
from decimal import Decimal
from functools import lru_cache

from gitgpu.model.sku import Sku
from gitgpu.model.syntax.quantity import is_whole
from gitgpu.schedule.capacity import GIB, capacity

# Above this fraction of what is left, a real node may have just enough or too little. A choice: for 83 of the 90 sizes
# in the catalog, the reservation that AKS documents leaves as much memory as Karpenter expects, whatever maxPods is.
# The other seven have at most 32 GiB, and up to 7% less than expected with 250 pods per node.
NEAR = Decimal("0.98")
MIB = 2**20
_EVICTION = 750 * MIB  # the hard eviction threshold that Karpenter assumes for every size
_CPU = ((1, "0.06"), (2, "0.04"), (4, "0.02"), (None, "0.01"))  # up to so many vCPUs, this fraction of each is reserved
_MEMORY = ((4, "0.25"), (8, "0.20"), (16, "0.10"), (128, "0.06"), (None, "0.02"))  # the same in GiB


def allocatable(sku: Sku) -> Mapping[str, Decimal | None]:
    """How much a node has for pods, before DaemonSets are subtracted; None if that is not known."""
    available = dict(capacity(sku))
    # Upstream truncates to whole thousandths of a CPU and whole MiB; rounding would move pods between sizes.
    if available["cpu"] is not None:
        available["cpu"] -= Decimal(int(1000 * _reserved(available["cpu"], _CPU))) / 1000
    if available["memory"] is not None and sku.memory_gib is not None:
        available["memory"] -= int(1024 * _reserved(Decimal(str(sku.memory_gib)), _MEMORY)) * MIB + _EVICTION
    return available


def insufficient(sku: Sku, wanted: Mapping[str, Decimal], fraction: Decimal = Decimal(1)) -> str:
    """The first resource for which a pod requests more than this fraction of a node; "" if there is none.

    Unknown amounts are assumed to be enough, and so is what Karpenter does not count.
    """
    available_of = allocatable(sku)
    for name, amount in sorted(wanted.items()):
        available = available_of.get(name)
        # Devices are counted one by one; only cpu and memory of a real node differ from the estimate.
        if available is not None and name in ("cpu", "memory"):
            available *= fraction
        if available is not None and amount > available:
            return name
    return ""


def amount_text(name: str, amount: Decimal) -> str:
    """An amount as text: memory in GiB, rounded; cpu in thousandths if it is not whole."""
    if name == "memory":
        return f"{amount / GIB:.1f}Gi"
    return f"{int(amount)}" if is_whole(amount) else f"{int(amount * 1000)}m"


@lru_cache(1 << 10)  # many sizes have the same number of vCPUs, or as much memory
def _reserved(size: Decimal, steps: tuple[tuple[int | None, str], ...]) -> Decimal:
    reserved, below = Decimal(0), Decimal(0)
    # Each rate applies only to the amount between the previous bound and its own, as with income tax.
    for upto, rate in steps:
        top = size if upto is None else min(size, Decimal(upto))
        reserved += max(top - below, Decimal(0)) * Decimal(rate)
        below = max(below, top)
    return reserved

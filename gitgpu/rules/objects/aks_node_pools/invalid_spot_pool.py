"""A spot node pool that AKS rejects."""

from collections.abc import Iterator
from decimal import Decimal

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.objects.node.agent_pools import AgentPool, agent_pools
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer

_DECIMALS = -5  # the smallest exponent of a price that Azure accepts
_SURGE = ("maxSurge", "maxUnavailable")
_ANY_PRICE = -1  # pay up to the on-demand price


def _check(objects: Objects) -> Iterator[Finding]:
    for pool in agent_pools(objects):
        faults = _spot(pool) if pool.is_spot else _regular(pool)
        yield from (Finding(pool.item, *fault) for fault in faults)


def _spot(pool: AgentPool) -> Iterator[tuple[Pointer, str, str]]:
    if pool.spec.get("mode") == "System":
        yield (
            pool.place("mode"),
            "a spot pool cannot be a system pool",
            "set mode: User, and add a separate system pool",
        )
    kind = pool.spec.get("type") or "VirtualMachineScaleSets"  # AKS's default
    if kind != "VirtualMachineScaleSets":
        yield pool.place("type"), f"a spot pool cannot be of type {kind}", "set type: VirtualMachineScaleSets"
    price = pool.spec.get("spotMaxPrice")
    if price is not None and price != _ANY_PRICE and (price <= 0 or _decimals(price) < _DECIMALS):
        remedy = "use -1 for the on-demand price, or a positive price with at most five decimals"
        yield pool.place("spotMaxPrice"), f"spotMaxPrice {price} is not valid", remedy
    for key in _SURGE:
        if reach(pool.spec, "upgradeSettings", key) is not None:
            message = f"{key} cannot be set on a spot pool, because AKS has no extra spot nodes for an upgrade"
            yield pool.place("upgradeSettings", key), message, "remove it"
    if pool.spec.get("capacityReservationGroupReference"):
        message = "capacity reservations apply to on-demand VMs, but this is a spot pool"
        remedy = "remove capacityReservationGroupReference, or scaleSetPriority: Spot"
        yield pool.place("capacityReservationGroupReference"), message, remedy


def _regular(pool: AgentPool) -> Iterator[tuple[Pointer, str, str]]:
    for field in ("spotMaxPrice", "scaleSetEvictionPolicy"):
        if pool.spec.get(field) is not None:
            message = f"{field} is allowed only on spot pools, but this is not a spot pool"
            yield pool.place(field), message, f"remove {field}, or set scaleSetPriority: Spot"


def _decimals(price: float) -> int:
    exponent = Decimal(str(price)).normalize().as_tuple().exponent
    return exponent if isinstance(exponent, int) else 0


RULE = Rule(
    code="APL005",
    name="invalid-spot-pool",
    severity=Severity.ERROR,
    summary="A spot pool has the wrong mode, type or price or a setting for on-demand nodes, or a regular pool has "
    "spot settings.",
    help="Azure can evict spot nodes at any time, so a system pool cannot use them. A price is -1, or positive with at "
    "most five decimals. A spot pool has no surge nodes during an upgrade, and no capacity reservation.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/spot-node-pool.md",
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/use-system-pools.md",
        "https://github.com/hashicorp/terraform-provider-azurerm/blob/028a6fd9c051e27d08e7d316ea643efb7abe6d07/internal/services/containers/kubernetes_cluster_node_pool_resource.go",
        "https://learn.microsoft.com/azure/virtual-machines/capacity-reservation-overview",
    ),
    check=_check,
)

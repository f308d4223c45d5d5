"""Spot nodes with a capacity reservation."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import pool_with_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.node_pools import node_pools


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Spot node pools with a capacityReservationGroup."""
    for pool, _ in node_pools(inputs):
        if pool.reservation and pool.only_spot:
            name = pool_with_place(pool, "capacity")
            message = f"capacity reservations apply to on-demand VMs, but {name} has spot VMs"
            remedy = "remove capacityReservationGroup, or set capacity: [on-demand]"
            yield Finding(pool.origin, ("spec", "capacityReservationGroup"), message, remedy)


RULE = Rule(
    code="QTA005",
    name="spot-nodes-with-reservation",
    severity=Severity.ERROR,
    of_running_nodes=True,
    summary="A pool of spot nodes has a capacityReservationGroup.",
    help="Azure rejects a capacity reservation for spot VMs.",
    sources=(
        "https://learn.microsoft.com/azure/virtual-machines/capacity-reservation-overview",
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/use-capacity-reservation-groups.md",
    ),
    check=_check,
)

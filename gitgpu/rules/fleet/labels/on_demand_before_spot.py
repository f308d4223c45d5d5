"""A pool cannot prefer on-demand nodes over spot nodes."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet_rule import Finding, Rule


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Pools that list on-demand first and spot second."""
    for pool in inputs.nodepools:
        if pool.capacity == ("on-demand", "spot"):
            message = "Karpenter cannot prefer on-demand over spot: it picks the cheaper offering, which is spot"
            remedy = "use [spot, on-demand], or use two GpuPools and give the one with on-demand the higher weight"
            yield Finding(pool.origin, ("spec", "capacity"), message, remedy)


RULE = Rule(
    code="SCH005",
    name="on-demand-before-spot",
    severity=Severity.ERROR,
    of_running_nodes=True,
    summary="A pool prefers on-demand over spot.",
    help="Within one NodePool, Karpenter ranks offerings by price and prefers spot when prices are equal. Spot is "
    "never more expensive, so the order [on-demand, spot] has no effect.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/allocationstrategy/stages/offering_rank.go",
        "https://learn.microsoft.com/azure/virtual-machines/spot-vms",
    ),
    check=_check,
)

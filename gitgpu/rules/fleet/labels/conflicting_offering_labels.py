"""A pool with placement: regional has no zones."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import with_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Pools that request nodes without a zone, and also zones."""
    for pool in inputs.pools:
        if pool.placement == "regional" and pool.zones:
            zones = with_place(f"zones {join_names(pool.zones)}", pool.origin, ("spec", "zones"))
            message = f"regional nodes are not in a zone, but the pool sets {zones}"
            remedy = "set placement: zonal, or remove zones"
            yield Finding(pool.origin, ("spec", "placement"), message, remedy)


RULE = Rule(
    code="SCH004",
    name="conflicting-offering-labels",
    twin="NPL009",
    severity=Severity.ERROR,
    of_running_nodes=True,
    summary="A pool has both placement: regional and zones.",
    help="Karpenter creates an offering for each zone of a size and one regional offering, with zone 0. No offering "
    "is both, so such a pool never gets a node.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/instancetype/instancetypes.go",
    ),
    check=_check,
)

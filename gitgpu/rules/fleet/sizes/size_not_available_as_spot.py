"""A spot pool needs sizes that are available as spot."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.sku import Sku
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.requested_sizes import named_sizes
from gitgpu.spelling import join_names

REMEDY = "set capacity: [on-demand], or use another size"


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Spot pools without any spot size, and sizes of pools with only spot nodes that are not available as spot."""
    for pool in inputs.pools:
        if "spot" not in pool.capacity:
            continue
        if all(_is_never_spot(sku) for sku in pool.skus):
            message = f"Azure does not offer {join_names([sku.name for sku in pool.skus])} as spot"
            yield Finding(pool.origin, ("spec", "capacity", pool.capacity.index("spot")), message, REMEDY)
        # A pool with both can use the size on demand.
        elif pool.only_spot:
            for where, sku in named_sizes(pool, inputs.catalog):
                if _is_never_spot(sku):
                    yield Finding(pool.origin, where, f"Azure does not offer {sku.name} as spot", REMEDY)


def _is_never_spot(sku: Sku) -> bool:
    return sku.row["spot"] is False


RULE = Rule(
    code="SCH006",
    name="size-not-available-as-spot",
    severity=Severity.ERROR,
    of_running_nodes=True,
    summary="A pool uses spot nodes of a size that Azure does not offer as spot.",
    help="Karpenter creates a spot offering only for sizes that Azure marks as low-priority capable. Without one, "
    "spot is never available and pods stay Pending.",
    sources=(
        "https://learn.microsoft.com/azure/virtual-machines/spot-vms",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/instancetype/instancetypes.go",
    ),
    facts=("skus",),
    check=_check,
)

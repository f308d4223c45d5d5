"""Spot needs a size that Azure sells as spot."""

from collections.abc import Iterator

from gitgpu.check.names import join_names
from gitgpu.check.requested_sizes import named
from gitgpu.check.rule import Finding, Rule
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.sku import Sku

BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: t4}
spec:
  clusters: [prod-swc]
  sku: Standard_NC8as_Example_v8  # invented, to show the error
  limits: {gpus: 8}
  capacity: [spot]
"""
GOOD = BAD.replace("Standard_NC8as_Example_v8  # invented, to show the error", "Standard_NC16as_T4_v3")
REMEDY = "write capacity: [on-demand], or choose another size"


def check(inputs: Inputs) -> Iterator[Finding]:
    """Pools that want spot and have no size for it, and sizes that a pool of spot nodes names in vain."""
    for pool in (one for one in inputs.pools if "spot" in one.capacity):
        if pool.skus and all(_never(sku) for sku in pool.skus):
            message = f"Azure does not sell {join_names([sku.name for sku in pool.skus])} as spot"
            yield Finding(pool.origin, ("spec", "capacity", pool.capacity.index("spot")), message, REMEDY)
        elif pool.only_spot:
            vain = ((where, sku.name) for where, sku in named(pool, inputs.catalog) if _never(sku))
            yield from (Finding(pool.origin, at, f"Azure does not sell {name} as spot", REMEDY) for at, name in vain)


def _never(sku: Sku) -> bool:
    return sku.row["spot"] is False


RULE = Rule(
    code="SCH006",
    name="spot-on-size-without-spot",
    severity=Severity.ERROR,
    summary="A pool wants spot nodes of a size that Azure does not sell as spot.",
    help="Karpenter makes a spot offering only of a size that Azure marks as capable of low priority. Without one, "
    "spot is never available and pods wait.",
    sources=(
        "https://learn.microsoft.com/azure/virtual-machines/spot-vms",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/instancetype/instancetypes.go",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)

"""gitgpu sets the spot taint."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.spec.taint import SPOT
from gitgpu.model.value_origins import pool_place
from gitgpu.rules.fleet_rule import Finding, Rule


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Pools that set the spot taint."""
    for pool in inputs.pools:
        for field, taints in (("taints", pool.taints), ("startupTaints", pool.startup_taints)):
            if all(taint.key != SPOT.key for taint in taints):
                continue
            why = "is set by gitgpu" if pool.only_spot else "would also apply to the on-demand nodes of the pool"
            remedy = f"remove the taint {SPOT.key}; pools with capacity: [spot] get it, and workloads tolerate it"
            yield Finding(*pool_place(pool, field), f"spot taint {SPOT.key} {why}", remedy)


RULE = Rule(
    code="SCH010",
    name="spot-taint-in-spec",
    severity=Severity.WARNING,
    summary="A pool sets the spot taint itself.",
    help="AKS marks spot nodes with kubernetes.azure.com/scalesetpriority. gitgpu sets that taint on pools with spot "
    "nodes only, where it is redundant in the spec. On other pools it is wrong for some nodes.",
    sources=("https://learn.microsoft.com/azure/aks/spot-node-pool",),
    check=_check,
)

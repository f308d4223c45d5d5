"""Karpenter does not consolidate static pools."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet_rule import Finding, Rule


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Static pools that set consolidation themselves. Defaults are for the other pools."""
    for pool in inputs.nodepools:
        if pool.objects.replicas is None:
            continue
        for key in ("consolidationPolicy", "consolidateAfter"):
            where = ("spec", "disruption", key)
            if pool.origin.holds(where):
                message = f"{key} has no effect, because Karpenter keeps the replicas of the pool"
                yield Finding(pool.origin, where, message, "remove it; budgets and expireAfter apply")


RULE = Rule(
    code="DIS015",
    name="consolidation-of-static-pool",
    twin="NPL095",
    severity=Severity.WARNING,
    summary="A pool with replicas sets consolidation.",
    help="A static NodePool keeps its number of nodes, also if they are empty. Karpenter ignores consolidation for it; "
    "drift and expiry replace its nodes one by one.",
    sources=(
        "https://github.com/kubernetes-sigs/karpenter/blob/2266468104f36373ed002241afaee2d3bbc26078/designs/static-capacity.md",
    ),
    check=_check,
)

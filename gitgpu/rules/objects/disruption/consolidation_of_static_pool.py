"""Karpenter does not consolidate static NodePools."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.objects.node.node_pools import every_node_pool
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule

_DEFAULTS = {"consolidationPolicy": "WhenEmptyOrUnderutilized", "consolidateAfter": "0s"}


def _check(objects: Objects) -> Iterator[Finding]:
    """Static NodePools that set consolidation. The schema requires consolidateAfter and budgets, which do apply."""
    for pool in every_node_pool(objects):
        disruption = reach(pool.item.body, "spec", "disruption") or {}
        is_static = reach(pool.item.body, "spec", "replicas") is not None
        if not is_static or disruption.get("budgets") or disruption.get("consolidateAfter") == "Never":
            continue
        # The API server adds the defaults.
        if set_by_user := [key for key, default in _DEFAULTS.items() if disruption.get(key, default) != default]:
            message = f"Karpenter ignores {' and '.join(set_by_user)}, because it keeps the replicas of the NodePool"
            remedy = "remove spec.disruption, or set consolidateAfter: Never"
            yield Finding(pool.item, ("spec", "disruption", set_by_user[0]), message, remedy)


RULE = Rule(
    code="NPL095",
    name="consolidation-of-static-pool",
    twin="DIS015",
    severity=Severity.WARNING,
    summary="A static NodePool sets consolidation.",
    help="A static NodePool keeps its number of nodes, also if they are empty. Karpenter ignores consolidation for it; "
    "drift and expiry replace its nodes one by one.",
    sources=(
        "https://github.com/kubernetes-sigs/karpenter/blob/2266468104f36373ed002241afaee2d3bbc26078/designs/static-capacity.md",
    ),
    check=_check,
)

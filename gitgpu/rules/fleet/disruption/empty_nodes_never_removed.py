"""A budget that also keeps empty nodes."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import pool_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.budgets import blocking_budgets


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Pools whose empty nodes are never removed although consolidation is on."""
    for pool in inputs.pools:
        # These pools keep empty nodes regardless of their budgets.
        if pool.disruption["consolidateAfter"] == "Never" or pool.objects.replicas is not None:
            continue
        for index in blocking_budgets(pool, "Empty"):
            message = "the budget of 0 nodes always applies and also keeps empty nodes, which you pay for"
            remedy = "set reasons: [Underutilized, Drifted], or consolidateAfter: Never to keep empty nodes"
            yield Finding(*pool_place(pool, "disruption", "budgets", index, "nodes"), message, remedy)


RULE = Rule(
    code="DIS007",
    name="empty-nodes-never-removed",
    severity=Severity.WARNING,
    summary="A disruption budget of 0 nodes keeps empty nodes.",
    help="A budget without reasons applies to every reason, including Empty. It is meant to protect running pods, but "
    "also keeps every GPU node without pods until the node expires.",
    sources=(
        "https://karpenter.sh/docs/concepts/disruption/",
        "https://learn.microsoft.com/azure/aks/node-auto-provisioning-disruption",
    ),
    check=_check,
)

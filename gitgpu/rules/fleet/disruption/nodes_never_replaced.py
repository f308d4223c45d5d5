"""Nodes that neither expire nor are replaced after drift."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import pool_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.budgets import blocking_budgets
from gitgpu.schedule.expiry import DEFAULT_EXPIRE_AFTER


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Pools whose nodes neither expire nor may be replaced after drift."""
    for pool in inputs.nodepools:
        # Without expireAfter, nodes expire after Karpenter's default age.
        if pool.disruption.get("expireAfter") != "Never":
            continue
        for index in blocking_budgets(pool, "Drifted"):
            message = "nodes of this pool never expire, and this budget forbids replacing drifted nodes"
            age = DEFAULT_EXPIRE_AFTER
            remedy = f"give this budget a schedule and a duration, and add {{nodes: 10%}}; or set expireAfter: {age}"
            yield Finding(*pool_place(pool, "disruption", "budgets", index, "nodes"), message, remedy)


RULE = Rule(
    code="DIS008",
    name="nodes-never-replaced",
    severity=Severity.WARNING,
    summary="The nodes of a pool neither expire nor are replaced when they drift.",
    help="A new node image, with its security fixes and driver, and a new Kubernetes version need a new node. Nodes "
    "that are never replaced fall behind the control plane, until AKS refuses to upgrade it.",
    sources=(
        "https://karpenter.sh/docs/concepts/disruption/",
        "https://kubernetes.io/releases/version-skew-policy/",
        "https://learn.microsoft.com/azure/aks/node-auto-provisioning-upgrade-image",
    ),
    check=_check,
)

"""A budget of no nodes needs a schedule when others have one."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.check.rule import Finding, Rule
from gitgpu.check.written import pool_place
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs

BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: t4}
spec:
  clusters: [prod-swc]
  sku: Standard_NC16as_T4_v3
  limits: {gpus: 8}
  disruption:
    budgets:
    - {nodes: "50%", schedule: "0 0 * * 6", duration: 48h}
    - {nodes: "0"}
"""
GOOD = BAD.replace('{nodes: "0"}', '{nodes: "0", schedule: "0 0 * * 1", duration: 120h}')


def check(inputs: Inputs) -> Iterator[Finding]:
    """Budgets that always forbid what another budget would allow at its time."""
    for pool in inputs.pools:
        budgets = pool.disruption.get("budgets", ())
        for index, budget in enumerate(budgets):
            if "schedule" in budget or int(budget["nodes"].rstrip("%")) > 0:
                continue
            idle = [other["schedule"] for other in budgets if "schedule" in other and _covers(budget, other)]
            if not idle:
                continue
            place = pool_place(inputs, pool, "disruption", "budgets", index, "nodes")
            message = f"a budget of {budget['nodes']} nodes that always holds makes the one at '{idle[0]}' void"
            remedy = "give it a schedule and a duration for the rest of the week, or remove it"
            yield Finding(*place, message, remedy)


def _covers(wide: Mapping[str, Any], narrow: Mapping[str, Any]) -> bool:
    """Whether one budget holds for every reason that the other holds for; without reasons it holds for all."""
    return "reasons" not in wide or set(narrow.get("reasons", ("all",))) <= set(wide["reasons"])


RULE = Rule(
    code="DIS002",
    name="budget-that-blocks-for-ever",
    severity=Severity.WARNING,
    summary="A budget without a schedule allows no disruption at all, beside budgets with a schedule.",
    help="Of several budgets the smallest that holds counts, and one without a schedule holds always: it is no rule "
    "for the rest of the time. Drifted nodes are then never replaced and idle ones never removed.",
    sources=(
        "https://learn.microsoft.com/azure/aks/node-auto-provisioning-disruption",
        "https://github.com/kubernetes-sigs/karpenter/blob/1b4b3e8c829dea93c8a0429e0e27aa68edc98ed7/pkg/apis/v1/nodepool.go",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)

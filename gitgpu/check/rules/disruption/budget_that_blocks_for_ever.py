"""A budget of no nodes needs a schedule when others have one."""

from collections.abc import Iterator

from gitgpu.check.rule import Finding, Rule
from gitgpu.check.value_origins import pool_place
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.schedule.budget import budget, overrules

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
        given = [budget(at, one) for at, one in enumerate(pool.disruption.get("budgets", ()))]
        for block in given:
            idle = [one.schedule for one in given if one.schedule is not None and overrules(block, one)]
            if idle:
                place = pool_place(inputs, pool, "disruption", "budgets", block.at, "nodes")
                message = f"a budget of {block.nodes} nodes that always holds makes the one at '{idle[0]}' void"
                remedy = "give it a schedule and a duration for the rest of the week, or remove it"
                yield Finding(*place, message, remedy)


RULE = Rule(
    code="DIS002",
    name="budget-that-blocks-for-ever",
    severity=Severity.WARNING,
    summary="A budget without a schedule allows less than one with a schedule, which then never counts.",
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

"""A budget should let empty nodes go."""

from collections.abc import Iterator

from gitgpu.check.budgets import blocked
from gitgpu.check.rule import Finding, Rule
from gitgpu.check.value_origins import pool_place
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
    - {nodes: "0"}
"""
GOOD = BAD.replace('"0"', '"0", reasons: [Underutilized, Drifted]')


def check(inputs: Inputs) -> Iterator[Finding]:
    """Pools whose empty nodes never go although consolidation is on."""
    for pool in inputs.pools:
        if pool.disruption["consolidateAfter"] == "Never":
            continue
        for index in blocked(pool, "Empty"):
            message = "a budget of 0 nodes that always holds keeps empty nodes too, and each goes on costing"
            remedy = "write reasons: [Underutilized, Drifted], or consolidateAfter: Never if they shall stay"
            yield Finding(*pool_place(inputs, pool, "disruption", "budgets", index, "nodes"), message, remedy)


RULE = Rule(
    code="DIS007",
    name="idle-nodes-kept",
    severity=Severity.WARNING,
    summary="A disruption budget of no nodes keeps nodes that nobody uses.",
    help="A budget without reasons holds for all of them, for Empty as well. It is meant to protect running pods, and "
    "also keeps every GPU node that has none, until the node expires.",
    sources=(
        "https://karpenter.sh/docs/concepts/disruption/",
        "https://learn.microsoft.com/azure/aks/node-auto-provisioning-disruption",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)

"""A disruption budget has a schedule and a duration, or neither."""

from collections.abc import Iterator

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
    - {nodes: "0", schedule: "0 8 * * 1-5"}
    - {nodes: "10%"}
"""
GOOD = BAD.replace('1-5"}', '1-5", duration: 10h}')
OTHER = {"schedule": "duration: 10h", "duration": 'schedule: "0 8 * * 1-5"'}


def check(inputs: Inputs) -> Iterator[Finding]:
    """Budgets with one of the two."""
    for pool in inputs.pools:
        for index, budget in enumerate(pool.disruption.get("budgets", ())):
            said = [key for key in OTHER if key in budget]
            if len(said) != 1:
                continue
            place = pool_place(inputs, pool, "disruption", "budgets", index, said[0])
            message = f"the budget has a {said[0]} ({budget[said[0]]}) alone: when it holds is not said"
            yield Finding(*place, message, f"add {OTHER[said[0]]}, or remove {said[0]} for a budget that always holds")


RULE = Rule(
    code="DIS001",
    name="half-scheduled-budget",
    severity=Severity.ERROR,
    summary="A disruption budget has a schedule without a duration, or a duration without a schedule.",
    help="The schedule says when a budget begins to hold, the duration how long it does. The NodePool's own "
    "validation demands both or neither, so the API server refuses the object.",
    sources=(
        "https://learn.microsoft.com/azure/aks/node-auto-provisioning-disruption",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/apis/crds/karpenter.sh_nodepools.yaml",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)

"""A disruption budget with a schedule and no duration, or a duration and no schedule."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import pool_place
from gitgpu.rules.fleet_rule import Finding, Rule

OTHER = {"schedule": "duration: 10h", "duration": 'schedule: "0 8 * * 1-5"'}


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Budgets with one of the two."""
    for pool in inputs.pools:
        for index, budget in enumerate(pool.disruption.get("budgets", ())):
            written_keys = [key for key in OTHER if key in budget]
            if len(written_keys) != 1:
                continue
            [key], [missing] = written_keys, [other for other in OTHER if other not in written_keys]
            place = pool_place(pool, "disruption", "budgets", index, key)
            message = f"the budget has a {key} ({budget[key]}) and no {missing}"
            yield Finding(*place, message, f"add {OTHER[key]}, or remove {key} for a budget that always applies")


RULE = Rule(
    code="DIS001",
    name="half-scheduled-budget",
    twin="CNF013",
    severity=Severity.ERROR,
    of_running_nodes=True,
    summary="A disruption budget has a schedule without a duration, or a duration without a schedule.",
    help="The schedule says when a budget starts, the duration how long it applies. The validation of NodePools "
    "requires both or neither, so the API server rejects the object.",
    sources=(
        "https://learn.microsoft.com/azure/aks/node-auto-provisioning-disruption",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/apis/crds/karpenter.sh_nodepools.yaml",
    ),
    check=_check,
)

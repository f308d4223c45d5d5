"""Nodes that expire before they are ready."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.syntax.duration import seconds
from gitgpu.model.value_origins import pool_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.schedule.expiry import REGISTRATION_TIMEOUT


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Pools whose nodes expire within the time that a node may take to start."""
    for pool in inputs.pools:
        # Without expireAfter, the NodePool has Karpenter's default of 720h, which is long enough.
        age = pool.disruption.get("expireAfter", "Never")
        if age != "Never" and seconds(age) <= seconds(REGISTRATION_TIMEOUT):
            message = f"nodes expire after {age}, and a VM may take {REGISTRATION_TIMEOUT} to register as a node"
            remedy = "use hours or days, such as expireAfter: 240h, or Never"
            yield Finding(*pool_place(pool, "disruption", "expireAfter"), message, remedy)


RULE = Rule(
    code="DIS011",
    name="expiry-before-ready",
    twin="NPL091",
    severity=Severity.WARNING,
    summary="The nodes of a pool expire before they are ready.",
    help="A node's age is measured from the creation of its NodeClaim. Karpenter waits 15 minutes for the VM to "
    "register; then the driver, the device plugin and the images follow. Expiry drains the node and starts the next "
    "one.",
    sources=(
        "https://github.com/kubernetes-sigs/karpenter/blob/1b4b3e8c829dea93c8a0429e0e27aa68edc98ed7/pkg/controllers/nodeclaim/lifecycle/liveness.go",
        "https://karpenter.sh/docs/concepts/disruption/",
    ),
    check=_check,
)

"""Nodes that expire before they are ready."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.syntax.duration import seconds
from gitgpu.objects.node.node_pools import SPEC, every_node_pool
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.schedule.expiry import REGISTRATION_TIMEOUT


def _check(objects: Objects) -> Iterator[Finding]:
    for pool in every_node_pool(objects):
        age = str(reach(pool.item.body, *SPEC, "expireAfter") or "Never")
        if age != "Never" and seconds(age) <= seconds(REGISTRATION_TIMEOUT):
            message = f"nodes expire after {age}, and a VM may take {REGISTRATION_TIMEOUT} to register as a node"
            remedy = "use hours or days, such as expireAfter: 240h, or Never"
            yield Finding(pool.item, (*SPEC, "expireAfter"), message, remedy)


RULE = Rule(
    code="NPL091",
    name="expiry-before-ready",
    twin="DIS011",
    severity=Severity.WARNING,
    summary="The nodes of a NodePool expire before they are ready.",
    help="A node's age is measured from the creation of its NodeClaim. Karpenter waits 15 minutes for the VM to "
    "register; then the driver, the device plugin and the images follow. Expiry drains the node and starts the next "
    "one.",
    sources=(
        "https://github.com/kubernetes-sigs/karpenter/blob/1b4b3e8c829dea93c8a0429e0e27aa68edc98ed7/pkg/controllers/nodeclaim/lifecycle/liveness.go",
        "https://karpenter.sh/docs/concepts/disruption/",
    ),
    check=_check,
)

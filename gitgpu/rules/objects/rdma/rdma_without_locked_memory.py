"""An RDMA container that cannot lock memory."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.devices import device_rows
from gitgpu.objects.workload.pods import pods
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    locks: dict[str, str] = {}
    for row in device_rows(objects):
        if row["lock"]:
            locks |= dict.fromkeys(row["resources"], row["lock"])
    for pod in pods(objects):
        for place, container in pod.containers():
            limits = reach(container, "resources", "limits") or ()
            requested = next((resource for resource in limits if resource in locks), "")
            context = reach(container, "securityContext") or {}
            added = reach(context, "capabilities", "add") or ()
            # A privileged container has all capabilities.
            if requested and not context.get("privileged") and not {locks[requested], "ALL"} & set(added):
                message = f"the container requests {requested} without the capability {locks[requested]}"
                remedy = f"add {locks[requested]} to securityContext.capabilities.add"
                yield Finding(pod.item, (*place, "resources", "limits", requested), message, remedy, at_key=True)


RULE = Rule(
    code="POD019",
    name="rdma-without-locked-memory",
    severity=Severity.WARNING,
    summary="A container requests RDMA devices without the capability to lock memory.",
    help="RDMA needs memory that is not swapped or moved. Without IPC_LOCK, the locked-memory limit of the container "
    "applies, and registering large buffers fails.",
    sources=(
        "https://github.com/Azure/aks-rdma-infiniband/blob/700dabb4fe0451d482ae09a373617ed68658b021/website/docs/configurations/01-network-operator.md",
    ),
    check=_check,
)

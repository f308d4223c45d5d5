"""An RDMA container that may not lock memory."""

from collections.abc import Iterator

from gitgpu.conform.objects import Objects, reach
from gitgpu.conform.rule import Finding, Rule
from gitgpu.conform.workload.devices import device_rows
from gitgpu.conform.workload.pods import pods
from gitgpu.diagnostic import Severity

BAD = """
apiVersion: v1
kind: Pod
metadata: {name: trainer, namespace: research}
spec:
  containers:
  - name: main
    securityContext: {capabilities: {add: [SYS_PTRACE]}}
    resources: {limits: {nvidia.com/gpu: 8, rdma/ib: 8}}
"""


def _check(objects: Objects) -> Iterator[Finding]:
    locks = {name: row["lock"] for row in device_rows(objects) for name in row["resources"] if row["lock"]}
    for pod in pods(objects):
        for place, container in pod.containers():
            asked = next((one for one in reach(container, "resources", "limits") or () if one in locks), "")
            context = reach(container, "securityContext") or {}
            added = reach(context, "capabilities", "add") or ()
            if asked and not context.get("privileged") and not {locks[asked], "ALL"} & set(added):
                message = f"the container asks for {asked} and has no capability {locks[asked]}"
                remedy = f"add {locks[asked]} to securityContext.capabilities.add"
                yield Finding(pod.item, (*place, "resources", "limits", asked), message, remedy, at_key=True)


RULE = Rule(
    code="POD019",
    name="rdma-without-locked-memory",
    severity=Severity.WARNING,
    summary="A container asks for RDMA devices without the capability to lock memory.",
    help="RDMA reads and writes memory that must not be swapped or moved. Without IPC_LOCK the limit of the container "
    "on locked memory counts, and registering buffers fails as soon as they are large.",
    sources=(
        "https://github.com/Azure/aks-rdma-infiniband/blob/700dabb4fe0451d482ae09a373617ed68658b021/website/docs/configurations/01-network-operator.md",
    ),
    check=_check,
    bad=BAD,
    good=BAD.replace("SYS_PTRACE", "IPC_LOCK"),
)

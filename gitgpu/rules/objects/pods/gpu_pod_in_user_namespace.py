"""A GPU pod in its own user namespace."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.devices import device_row
from gitgpu.objects.workload.node_constraints import requested_devices
from gitgpu.objects.workload.pods import pods
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for pod in pods(objects):
        if pod.spec.get("hostUsers") is not False:
            continue
        rows = [device_row(name, objects) for name in requested_devices(pod)]
        if any(row and row["manufacturer"] == "nvidia" for row in rows):
            message = "the NVIDIA container toolkit cannot start GPU containers with hostUsers: false"
            yield Finding(pod.item, (*pod.pointer, "hostUsers"), message, "remove hostUsers")


RULE = Rule(
    code="POD018",
    name="gpu-pod-in-user-namespace",
    severity=Severity.WARNING,
    summary="A pod requests an NVIDIA GPU with hostUsers: false.",
    help="The hook that adds the GPU to the container runs as the remapped user and cannot read the files that it "
    "needs, so the container is not created. NVIDIA does not support user namespaces with the GPU Operator.",
    sources=(
        "https://github.com/NVIDIA/cloud-native-docs/blob/52dcb7b8d956784344e241df476de17094a4574c/gpu-operator/cdi.rst",
        "https://github.com/NVIDIA/nvidia-container-toolkit/issues/648",
    ),
    check=_check,
)

"""A container that can use every GPU of its node, although it requests only some."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.rules.objects.pods._gpu_containers import environment, gpu_containers

_VARIABLE = "NVIDIA_VISIBLE_DEVICES"


def _check(objects: Objects) -> Iterator[Finding]:
    for pod, place, container, limit in gpu_containers(objects):
        few = f"not only the {limit} that it requests" if limit > 1 else "not only the one that it requests"
        variable = environment(container, _VARIABLE)
        # With these values, the variable adds no GPU.
        if variable and variable[1] not in ("", "none", "void"):
            message = f"{_VARIABLE}={variable[1]} lets the container use other GPUs of the node, {few}"
            remedy = f"remove {_VARIABLE}: the device plugin sets it"
            yield Finding(pod.item, (*place, "env", variable[0], "value"), message, remedy)
        # A privileged DaemonSet often manages the GPUs of its node.
        elif reach(container, "securityContext", "privileged") is True and not pod.is_daemon:
            message = f"a privileged container can use every GPU of the node, {few}"
            remedy = "remove privileged; add the capabilities that the program needs"
            yield Finding(pod.item, (*place, "securityContext", "privileged"), message, remedy)


RULE = Rule(
    code="POD048",
    name="gpu-isolation-bypassed",
    severity=Severity.INFO,
    summary="A container that requests GPUs can use the other GPUs of the node too.",
    help="The device plugin sets which GPUs the container runtime adds. NVIDIA_VISIBLE_DEVICES in the pod replaces "
    "that, and a privileged container has all devices. Two pods can then use one GPU and run out of its memory. This "
    "has no effect on nodes with a single GPU.",
    sources=(
        "https://github.com/NVIDIA/k8s-device-plugin/issues/336",
        "https://github.com/NVIDIA/k8s-device-plugin/issues/1294",
        "https://github.com/kubernetes/kubernetes/issues/81256",
        "https://github.com/ROCm/k8s-device-plugin/issues/45",
    ),
    check=_check,
)

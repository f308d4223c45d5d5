"""A container that gets GPUs from the container runtime instead of requesting them."""

from collections.abc import Iterator

from gitgpu.access import list_at
from gitgpu.diagnostic import Severity
from gitgpu.model.names.prefixes import NVIDIA_PREFIX
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.pods import Pod, pods
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.rules.objects.pods._gpu_containers import environment

_VARIABLE = "NVIDIA_VISIBLE_DEVICES"
_NO_GPU = ("", "none", "void")


def _check(objects: Objects) -> Iterator[Finding]:
    for pod in pods(objects):
        # Daemons such as exporters have to see every GPU, and must not use one up.
        if pod.is_daemon or _requests_gpus(pod):
            continue
        for place, container in pod.containers():
            variable = environment(container, _VARIABLE)
            if variable and variable[1] not in _NO_GPU:
                message = (
                    f"{_VARIABLE}={variable[1]} gives the container GPUs that it does not request, so the scheduler "
                    "gives the same GPUs to other pods"
                )
                remedy = "remove it, and set a limit of nvidia.com/gpu"
                yield Finding(pod.item, (*place, "env", variable[0], "value"), message, remedy)


def _requests_gpus(pod: Pod) -> bool:
    """Whether the pod requests GPUs in any form, including claims."""
    if pod.spec.get("resourceClaims") or any(name.startswith(NVIDIA_PREFIX) for _, name, _ in pod.devices()):
        return True
    # Other projects share GPUs under names of their own.
    return any("gpu" in name.lower() for _, name, _ in pod.devices()) or any(
        list_at(container, "resources", "claims") for _, container in pod.containers()
    )


RULE = Rule(
    code="POD094",
    name="gpu-used-without-request",
    severity=Severity.WARNING,
    summary="A container sets NVIDIA_VISIBLE_DEVICES but requests no GPU.",
    help="The NVIDIA runtime adds the GPUs that this variable names, regardless of the device plugin. The "
    "scheduler does not know of it: Karpenter starts no GPU node for the pod, and two pods can use one GPU. The "
    "GPU Operator evicts pods by their requests before it replaces a driver, so such a pod blocks the upgrade.",
    sources=(
        "https://github.com/NVIDIA/gpu-operator/issues/2570",
        "https://github.com/NVIDIA/k8s-device-plugin/issues/87",
        "https://github.com/NVIDIA/k8s-device-plugin/issues/1376",
    ),
    check=_check,
)

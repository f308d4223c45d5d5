"""A driver capability that the NVIDIA container runtime does not know."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.rules.objects.pods._gpu_containers import environment, gpu_containers
from gitgpu.spelling import nearest

_VARIABLE = "NVIDIA_DRIVER_CAPABILITIES"


def _check(objects: Objects) -> Iterator[Finding]:
    known = objects.catalog.must("runtimes", "containerd")["toolkit"]["capabilities"]
    for pod, place, container, _ in gpu_containers(objects):
        variable = environment(container, _VARIABLE)
        names = variable[1].split(",") if variable else []
        unknown_names = [name for name in names if name not in (*known, "") and "$(" not in name]
        if variable and unknown_names and "all" not in names:  # with all, other names do not matter
            closest = nearest(unknown_names[0], known)
            capabilities = ", ".join(known)
            remedy = f"use {closest} instead of {unknown_names[0]}" if closest else f"use names from {capabilities}"
            message = f"the NVIDIA container runtime does not know the driver capability {unknown_names[0]}"
            yield Finding(pod.item, (*place, "env", variable[0], "value"), message, remedy)


RULE = Rule(
    code="POD049",
    name="unknown-driver-capability",
    severity=Severity.WARNING,
    summary="NVIDIA_DRIVER_CAPABILITIES of a container with GPUs has a name that does not exist.",
    help="The hook of the runtime stops with 'unsupported capabilities found', and the container is not created. With "
    "CDI (Container Device Interface) the variable is not read.",
    sources=(
        "https://github.com/NVIDIA/nvidia-docker/issues/1128",
        "https://github.com/osrf/rocker/pull/182",
        "https://docs.nvidia.com/datacenter/cloud-native/container-toolkit/latest/docker-specialized.html",
    ),
    facts=("runtimes/containerd",),
    check=_check,
)

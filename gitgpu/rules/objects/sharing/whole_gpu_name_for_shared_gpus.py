"""A pod that requests GPUs under the name that they have without sharing."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.names.resources import NVIDIA_GPU
from gitgpu.objects.objects import Objects
from gitgpu.objects.software.sharing import SHARED, sharing
from gitgpu.objects.workload.pods import pods
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    sections = sharing(objects)
    # A node whose GPUs keep their name can run the pod.
    if not sections or not all(section.get("renameByDefault") is True for _, section in sections):
        return
    for pod in pods(objects):
        for place, name, _ in pod.devices():
            if name == NVIDIA_GPU:
                message = (
                    f"no node advertises {NVIDIA_GPU}, because every configuration of the device plugin renames it"
                )
                yield Finding(pod.item, place, message, f"use {SHARED}, or remove renameByDefault")


RULE = Rule(
    code="SHR090",
    name="whole-gpu-name-for-shared-gpus",
    severity=Severity.ERROR,
    summary="A pod requests nvidia.com/gpu where the device plugin renames shared GPUs.",
    help="With renameByDefault, shared GPUs are nvidia.com/gpu.shared and no node has nvidia.com/gpu, so the pod "
    "stays Pending.",
    sources=(
        "https://github.com/NVIDIA/k8s-device-plugin/blob/1b826acc6af3079d8923bac395c3124b8861a9a6/README.md",
        "https://github.com/NVIDIA/k8s-device-plugin/blob/1b826acc6af3079d8923bac395c3124b8861a9a6/api/config/v1/replicas.go",
    ),
    check=_check,
)

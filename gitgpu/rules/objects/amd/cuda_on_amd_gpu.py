"""A CUDA image on AMD GPUs."""

import re
from collections.abc import Iterator

from gitgpu.access import mapping_at
from gitgpu.diagnostic import Severity
from gitgpu.model.names.resources import AMD_GPU
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.pods import pods
from gitgpu.rules.object_rule import Finding, Rule

_CUDA = re.compile(r"(?:^|/)nvidia/cuda(?:[:@]|$)|^nvcr\.io/nvidia/")  # NVIDIA's own images


def _check(objects: Objects) -> Iterator[Finding]:
    for pod in pods(objects):
        for place, container in pod.containers():
            limits = mapping_at(container, "resources", "limits")
            if AMD_GPU in limits and _CUDA.search(str(container.get("image") or "")):
                message = f"the image is built with CUDA, which does not run on the AMD GPUs that {AMD_GPU} requests"
                yield Finding(pod.item, (*place, "image"), message, "use an image with ROCm, or request nvidia.com/gpu")


RULE = Rule(
    code="POD104",
    name="cuda-on-amd-gpu",
    twin="AMD005",
    severity=Severity.ERROR,
    summary="A container with one of NVIDIA's images requests AMD GPUs.",
    help="CUDA runs only on NVIDIA GPUs, with NVIDIA's driver. Programs and images for AMD GPUs are built with ROCm.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/use-amd-gpus.md",
        "https://github.com/ROCm/k8s-device-plugin/blob/ed7646843003e8f0b6a0630346f01bb4d1ecff2e/docs/user-guide/examples.md",
    ),
    check=_check,
)

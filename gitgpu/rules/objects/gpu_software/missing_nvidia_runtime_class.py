"""A pod with the runtime class nvidia where nothing creates it."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import RUNTIME_CLASS
from gitgpu.objects.gitops.chart_values import operators
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.pods import pods
from gitgpu.rules.object_rule import Finding, Rule

_NAME = "nvidia"


def _check(objects: Objects) -> Iterator[Finding]:
    exists = any(item.identity.name == _NAME for item in objects.of(*RUNTIME_CLASS))
    # The class, or the GPU Operator, may be in other files.
    if exists or not objects.closed or any(True for _ in operators(objects)):
        return
    for pod in pods(objects):
        if pod.spec.get("runtimeClassName") == _NAME:
            message = f"there is no RuntimeClass {_NAME}: the GPU Operator creates it, but is not installed"
            remedy = "remove runtimeClassName; if AKS installs the driver, the NVIDIA runtime is the default"
            yield Finding(pod.item, (*pod.pointer, "runtimeClassName"), message, remedy)


RULE = Rule(
    code="SHR063",
    name="missing-nvidia-runtime-class",
    severity=Severity.ERROR,
    rejects=True,
    summary="A pod uses the runtime class nvidia on a cluster where nothing creates it.",
    help="The API server rejects a pod whose RuntimeClass does not exist. The GPU Operator creates the RuntimeClass "
    "nvidia. AKS does not: on nodes whose driver it installs, containerd runs every container with the NVIDIA "
    "runtime. A pod that requests a GPU does not need the class in either case.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/imagefamily/bootstrap/containerd.toml.gtpl",
        "https://github.com/NVIDIA/gpu-operator/blob/a22dbf671f2e26f9a1e342f8eea28e196235e110/controllers/object_controls.go",
        "https://github.com/NVIDIA/cloud-native-docs/blob/52dcb7b8d956784344e241df476de17094a4574c/gpu-operator/cdi.rst",
    ),
    check=_check,
)

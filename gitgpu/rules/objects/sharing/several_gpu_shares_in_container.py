"""A container that requests more than one share of a GPU."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.names.resources import NVIDIA_GPU
from gitgpu.model.syntax.whole_number import whole_number
from gitgpu.objects.objects import Objects
from gitgpu.objects.software.sharing import SHARED, sharing
from gitgpu.objects.workload.pods import pods
from gitgpu.rules.object_rule import Finding, Rule

_FAIL = "failRequestsGreaterThanOne"


def _check(objects: Objects) -> Iterator[Finding]:
    sections = sharing(objects)
    # Any way of sharing without the setting may be on the node of the pod.
    if not sections or not all(section.get(_FAIL, method == "mps") is True for method, section in sections):
        return
    for pod in pods(objects):
        for place, name, amount in pod.devices():
            if name in (NVIDIA_GPU, SHARED) and (whole_number(amount) or 0) > 1:
                message = f"the container requests {amount} GPU shares, but the device plugin allows at most 1"
                yield Finding(pod.item, place, message, "request 1; more shares do not give more of the GPU")


RULE = Rule(
    code="SHR091",
    name="several-gpu-shares-in-container",
    severity=Severity.ERROR,
    summary="A container requests several GPU shares, but the device plugin allows only one.",
    help="With failRequestsGreaterThanOne, the default of MPS, the kubelet rejects the pod with "
    "UnexpectedAdmissionError on the node. A share is access to a GPU, not a part of it.",
    sources=(
        "https://github.com/NVIDIA/k8s-device-plugin/blob/1b826acc6af3079d8923bac395c3124b8861a9a6/README.md",
        "https://github.com/NVIDIA/k8s-device-plugin/blob/1b826acc6af3079d8923bac395c3124b8861a9a6/internal/rm/rm.go",
    ),
    check=_check,
)

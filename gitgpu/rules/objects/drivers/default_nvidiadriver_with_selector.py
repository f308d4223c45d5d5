"""A default NVIDIADriver with a node selector."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import NVIDIA_DRIVER
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for item in objects.of(*NVIDIA_DRIVER):
        spec = reach(item.body, "spec") or {}
        if spec.get("default") is True and spec.get("nodeSelector"):
            message = "a default NVIDIADriver cannot have a node selector"
            yield Finding(item, ("spec", "nodeSelector"), message, "remove nodeSelector, or remove default")


RULE = Rule(
    code="STK015",
    name="default-nvidiadriver-with-selector",
    severity=Severity.ERROR,
    rejects=True,
    summary="An NVIDIADriver is the default and has a node selector.",
    help="The default NVIDIADriver serves the nodes that no other NVIDIADriver selects, so its own selector "
    "contradicts it. The API server rejects the object.",
    sources=(
        "https://github.com/NVIDIA/gpu-operator/blob/a22dbf671f2e26f9a1e342f8eea28e196235e110/api/nvidia/v1alpha1/nvidiadriver_types.go",
    ),
    check=_check,
)

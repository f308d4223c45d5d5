"""A precompiled driver with GPUDirect Storage or GDRCopy."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import NVIDIA_DRIVER
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for item in objects.of(*NVIDIA_DRIVER):
        spec = reach(item.body, "spec") or {}
        for part in ("gds", "gdrcopy"):
            if spec.get("usePrecompiled") is True and reach(spec, part, "enabled") is True:
                message = f"{part} does not work with a precompiled driver"
                yield Finding(
                    item, ("spec", part, "enabled"), message, f"set {part}.enabled: false, or set usePrecompiled: false"
                )


RULE = Rule(
    code="STK017",
    name="precompiled-driver-with-storage",
    severity=Severity.ERROR,
    summary="An NVIDIADriver uses precompiled modules together with GPUDirect Storage or GDRCopy.",
    help="Their kernel modules are built on the node against the driver, which a precompiled driver does not "
    "support. The GPU Operator reports an error for the object and installs nothing.",
    sources=(
        "https://github.com/NVIDIA/gpu-operator/blob/a22dbf671f2e26f9a1e342f8eea28e196235e110/controllers/nvidiadriver_controller.go",
    ),
    check=_check,
)

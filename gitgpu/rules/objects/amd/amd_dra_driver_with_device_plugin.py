"""A DeviceConfig with both the device plugin and the DRA driver."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import DEVICE_CONFIG
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for item in objects.of(*DEVICE_CONFIG):
        spec = reach(item.body, "spec") or {}
        claims = reach(spec, "draDriver", "enable") is True
        if claims and reach(spec, "devicePlugin", "enableDevicePlugin") is not False:
            message = "the DRA driver and the device plugin (on by default) are mutually exclusive"
            remedy = "set devicePlugin.enableDevicePlugin: false"
            yield Finding(item, ("spec", "draDriver", "enable"), message, remedy)


RULE = Rule(
    code="STK029",
    name="amd-dra-driver-with-device-plugin",
    severity=Severity.ERROR,
    summary="A DeviceConfig turns on the AMD DRA driver and leaves its device plugin on.",
    help="The AMD GPU Operator rejects such an object: it reports a failed validation and installs nothing.",
    sources=(
        "https://github.com/ROCm/gpu-operator/blob/6df13c1788c99dca734337287ebd317b15df9c71/internal/validator/specValidators.go",
    ),
    check=_check,
)

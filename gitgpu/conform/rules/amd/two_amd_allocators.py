"""A DeviceConfig with both the device plugin and the DRA driver."""

from collections.abc import Iterator

from gitgpu.conform.objects import Objects, reach
from gitgpu.conform.rule import Finding, Rule
from gitgpu.diagnostic import Severity


def _check(objects: Objects) -> Iterator[Finding]:
    for item in objects.of("amd.com", "DeviceConfig"):
        spec = reach(item.body, "spec") or {}
        claims = reach(spec, "draDriver", "enable") is True
        if claims and reach(spec, "devicePlugin", "enableDevicePlugin") is not False:
            message = "the DRA driver and the device plugin, which is on by default, exclude each other"
            remedy = "write devicePlugin.enableDevicePlugin: false"
            yield Finding(item, ("spec", "draDriver", "enable"), message, remedy)


RULE = Rule(
    code="STK029",
    name="two-amd-allocators",
    severity=Severity.ERROR,
    summary="A DeviceConfig turns on AMD's DRA driver and leaves its device plugin on.",
    help="AMD's operator rejects such an object: it reports a failed validation and sets up none of its parts.",
    sources=(
        "https://github.com/ROCm/gpu-operator/blob/6df13c1788c99dca734337287ebd317b15df9c71/internal/validator/specValidators.go",
    ),
    check=_check,
    bad="""
apiVersion: amd.com/v1alpha1
kind: DeviceConfig
metadata: {name: mi300x, namespace: kube-amd-gpu}
spec: {driver: {enable: false}, draDriver: {enable: true}}
""",
    good="""
apiVersion: amd.com/v1alpha1
kind: DeviceConfig
metadata: {name: mi300x, namespace: kube-amd-gpu}
spec: {driver: {enable: false}, draDriver: {enable: true}, devicePlugin: {enableDevicePlugin: false}}
""",
)

"""Time-slicing and MPS in one configuration."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.objects.objects import Objects
from gitgpu.objects.software.plugin_configs import plugin_configs
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for config in plugin_configs(objects):
        if len(dict(config.ways())) > 1:
            message = f"configuration {config.name} sets both timeSlicing and mps; the device plugin uses only mps"
            yield Finding(config.item, config.pointer, message, "remove one of the two")


RULE = Rule(
    code="SHR001",
    name="two-sharing-strategies",
    severity=Severity.WARNING,
    summary="A configuration of the device plugin uses both time-slicing and MPS.",
    help="The device plugin supports one strategy per node. With both, it uses MPS with its number of replicas and "
    "silently ignores time-slicing.",
    sources=(
        "https://github.com/NVIDIA/k8s-device-plugin/blob/1b826acc6af3079d8923bac395c3124b8861a9a6/api/config/v1/sharing.go",
        "https://github.com/NVIDIA/k8s-device-plugin/blob/1b826acc6af3079d8923bac395c3124b8861a9a6/README.md",
    ),
    check=_check,
)

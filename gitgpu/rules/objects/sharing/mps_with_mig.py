"""MPS for MIG devices."""

from collections.abc import Iterator

from gitgpu.access import list_at, mapping_at, reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.prefixes import NVIDIA_PREFIX
from gitgpu.objects.objects import Objects
from gitgpu.objects.software.plugin_configs import plugin_configs
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for config in plugin_configs(objects):
        section = mapping_at(config.sharing, "mps")
        names = [str(reach(resource, "name")) for resource in list_at(section, "resources")]
        # The plugin accepts the name with and without its prefix.
        mig = next((name for name in names if name.removeprefix(NVIDIA_PREFIX).startswith("mig-")), "")
        if names and (mig or config.strategy == "mixed"):
            what = f"shares {mig} with" if mig else "combines migStrategy: mixed with"
            message = f"configuration {config.name} {what} MPS, which supports only whole GPUs"
            yield Finding(
                config.item, config.pointer, message, "use timeSlicing instead of mps, or share nvidia.com/gpu"
            )


RULE = Rule(
    code="SHR003",
    name="mps-with-mig",
    severity=Severity.ERROR,
    summary="A configuration of the device plugin shares MIG devices with MPS.",
    help="The device plugin rejects MPS for MIG devices and together with the mixed MIG strategy. It exits with an "
    "error, so the node advertises no GPU.",
    sources=(
        "https://github.com/NVIDIA/k8s-device-plugin/blob/1b826acc6af3079d8923bac395c3124b8861a9a6/cmd/nvidia-device-plugin/main.go",
        "https://github.com/NVIDIA/k8s-device-plugin/blob/1b826acc6af3079d8923bac395c3124b8861a9a6/internal/plugin/mps.go",
    ),
    check=_check,
)

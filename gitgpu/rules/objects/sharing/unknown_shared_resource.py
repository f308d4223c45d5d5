"""A shared resource that the device plugin does not advertise."""

from collections.abc import Iterator

from gitgpu.access import list_at, reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.prefixes import NVIDIA_PREFIX
from gitgpu.objects.objects import Objects
from gitgpu.objects.software.plugin_configs import plugin_configs
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for config in plugin_configs(objects):
        for method, section in config.ways():
            for resource in list_at(section, "resources"):
                name = reach(resource, "name")
                if isinstance(name, str) and not _is_known(name):
                    message = (
                        f"configuration {config.name} shares {name} with {method}, but the device plugin does not "
                        "advertise it"
                    )
                    remedy = "use nvidia.com/gpu, or a MIG resource such as nvidia.com/mig-1g.10gb"
                    yield Finding(config.item, config.pointer, message, remedy)


def _is_known(name: str) -> bool:
    """Whether it is a resource of the plugin.

    The plugin adds its prefix to every name without it, even to a name with another prefix.
    """
    short = name.removeprefix(NVIDIA_PREFIX)
    size = short.removeprefix("mig-").partition(".")[0]
    return short == "gpu" or (short.startswith("mig-") and size.endswith("g") and size[:-1].isdigit())


RULE = Rule(
    code="SHR005",
    name="unknown-shared-resource",
    severity=Severity.WARNING,
    summary="A configuration of the device plugin shares a resource that no GPU has.",
    help="Only resources of the device plugin can have replicas: nvidia.com/gpu and, with the mixed MIG strategy, one "
    "resource for each profile. Any other name shares nothing, and no error is reported.",
    sources=(
        "https://github.com/NVIDIA/k8s-device-plugin/blob/1b826acc6af3079d8923bac395c3124b8861a9a6/api/config/v1/resources.go",
        "https://github.com/NVIDIA/k8s-device-plugin/blob/1b826acc6af3079d8923bac395c3124b8861a9a6/README.md",
    ),
    check=_check,
)

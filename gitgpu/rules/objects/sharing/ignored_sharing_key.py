"""A key of the sharing configuration that the device plugin ignores."""

from collections.abc import Iterator

from gitgpu.access import list_at, mapping_at
from gitgpu.diagnostic import Severity
from gitgpu.objects.objects import Objects
from gitgpu.objects.software.plugin_configs import METHODS, PluginConfig, plugin_configs
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for config in plugin_configs(objects):
        for place, remedy in _ignored(config):
            message = f"configuration {config.name}: the device plugin ignores {place}"
            yield Finding(config.item, config.pointer, message, remedy)


def _ignored(config: PluginConfig) -> Iterator[tuple[str, str]]:
    if any(mapping_at(config.body, "resources").values()):
        yield "resources", "remove it: resource names are fixed"
    for key in config.sharing:
        if key not in METHODS:
            yield f"sharing.{key}", f"use {' or '.join(METHODS)}"
    for method, section in config.ways():
        for index, resource in enumerate(list_at(section, "resources")):
            place, entry = f"sharing.{method}.resources[{index}]", mapping_at(resource)
            if entry.get("rename"):
                yield f"{place}.rename", "remove it; renameByDefault: true changes the name to nvidia.com/gpu.shared"
            if entry.get("devices") not in (None, "all"):
                yield f"{place}.devices", "remove it: all GPUs of the node are shared in the same way"


RULE = Rule(
    code="SHR004",
    name="ignored-sharing-key",
    severity=Severity.WARNING,
    summary="A configuration of the device plugin renames a resource or selects devices, which the plugin ignores.",
    help="The file format has these keys, but the plugin clears them and only logs it. Sharing applies to the node: "
    "every GPU gets the replicas, under the default resource name.",
    sources=(
        "https://github.com/NVIDIA/k8s-device-plugin/blob/1b826acc6af3079d8923bac395c3124b8861a9a6/api/config/v1/config.go",
        "https://github.com/NVIDIA/k8s-device-plugin/blob/1b826acc6af3079d8923bac395c3124b8861a9a6/api/config/v1/replicas.go",
    ),
    check=_check,
)

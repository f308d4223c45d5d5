"""A key that the device plugin does not read in its configuration."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.access import list_at, mapping_at
from gitgpu.diagnostic import Severity
from gitgpu.objects.objects import Objects
from gitgpu.objects.software.plugin_configs import METHODS, plugin_configs
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.spelling import nearest

# The keys of a way of sharing, and those of an entry of its resources.
_WAY = ("failRequestsGreaterThanOne", "renameByDefault", "resources")
_ENTRY = ("devices", "name", "rename", "replicas")
_KEYS = {  # of every release that supports sharing; the plugin ignores the case of these keys
    "": ("flags", "imex", "resources", "sharing", "version"),
    "flags": (
        "deviceDiscoveryStrategy", "failOnInitError", "gdrcopyEnabled", "gdsEnabled", "gfd", "migStrategy",
        "mofedEnabled", "mpsRoot", "nvidiaDevRoot", "nvidiaDriverRoot", "plugin", "useNodeFeatureAPI",
    ),
    "flags.plugin": (
        "cdiAnnotationPrefix", "containerDriverRoot", "deviceIDStrategy", "deviceListStrategy", "nvidiaCTKPath",
        "passDeviceSpecs", "sharedDevicesAllocationPolicy",
    ),
    "flags.gfd": ("machineTypeFile", "noTimestamp", "oneshot", "outputFile", "sleepInterval"),
    "sharing.timeSlicing": _WAY,
    "sharing.mps": _WAY,
    "imex": ("channelIDs", "required"),
}  # fmt: skip
_CUTOFF = 0.8  # one wrong letter in a key of five letters


def _check(objects: Objects) -> Iterator[Finding]:
    for config in plugin_configs(objects):
        for path, remedy in (*_unread(config.body, ""), *_entry_keys(config.body)):
            message = f"configuration {config.name}: the device plugin does not read {path}"
            yield Finding(config.item, config.pointer, message, remedy)


def _unread(body: Mapping[str, Any], path: str) -> Iterator[tuple[str, str]]:
    section: Any = body
    for part in path.split(".") if path else ():
        section = _field(mapping_at(section), part)
    names = {name.lower() for name in _KEYS[path]}
    for key in mapping_at(section):
        if str(key).lower() not in names:
            yield f"{path}.{key}".lstrip("."), _remedy(str(key), path, body)
    if not path:
        for below in _KEYS:
            yield from _unread(body, below) if below else ()


def _field(body: Mapping[str, Any], name: str) -> Any:
    return next((value for key, value in body.items() if str(key).lower() == name.lower()), None)


def _entry_keys(body: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    sharing = mapping_at(_field(body, "sharing"))
    for method in METHODS:
        entries = list_at(_field(mapping_at(_field(sharing, method)), "resources"))
        for index, entry in enumerate(entries):
            for key in mapping_at(entry):
                if key not in _ENTRY:
                    path = f"sharing.{method}"
                    homes = f"move it to {path}" if key in _WAY else _near(str(key), _ENTRY)
                    yield f"{path}.resources[{index}].{key}", homes


def _remedy(key: str, path: str, body: Mapping[str, Any]) -> str:
    if key in METHODS:
        return f"rename it to sharing.{key}"
    if key == "sharing":
        return "move it to the top level"
    sharing = mapping_at(_field(body, "sharing"))
    unused = {f"sharing.{method}" for method in METHODS if _field(sharing, method) is None}
    homes = [home for home, names in _KEYS.items() if key in names and home not in unused]
    if len(homes) == 1 and homes[0] != path:
        return f"move it to {homes[0]}" if homes[0] else "move it to the top level"
    return "move it into an entry of resources" if key == "replicas" else _near(key, _KEYS[path])


def _near(key: str, names: tuple[str, ...]) -> str:
    closest = nearest(key, names, _CUTOFF)
    return f"use {closest}" if closest else "remove it"


RULE = Rule(
    code="SHR017",
    name="unknown-plugin-config-key",
    severity=Severity.WARNING,
    summary="A configuration of the device plugin has a key that is unknown or in the wrong place.",
    help="The device plugin silently ignores unknown keys and uses the default. For example, renameByDefault under "
    "flags has no effect.",
    sources=(
        "https://github.com/NVIDIA/k8s-device-plugin/issues/1433",
        "https://github.com/NVIDIA/k8s-device-plugin/blob/1b826acc6af3079d8923bac395c3124b8861a9a6/api/config/v1/flags.go",
        "https://github.com/NVIDIA/k8s-device-plugin/blob/1b826acc6af3079d8923bac395c3124b8861a9a6/api/config/v1/replicas.go",
    ),
    check=_check,
)

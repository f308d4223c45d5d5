"""A configuration that the device plugin rejects."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.access import list_at, mapping_at
from gitgpu.diagnostic import Problem, Severity
from gitgpu.objects.objects import Objects
from gitgpu.objects.software.plugin_configs import PluginConfig, plugin_configs
from gitgpu.rules.object_rule import Finding, Rule

_STRATEGIES = ("none", "single", "mixed")  # of the device plugin


def _check(objects: Objects) -> Iterator[Finding]:
    for config in plugin_configs(objects):
        for what, remedy in _faults(config):
            message = f"configuration {config.name}: {what}"
            yield Finding(config.item, config.pointer, message, remedy)


def _faults(config: PluginConfig) -> Iterator[Problem]:
    version = config.body.get("version")
    if version not in (None, "", "v1"):  # without a version, the plugin reads v1
        yield Problem(f"unknown version {version}", "set version: v1")
    if config.strategy not in ("", *_STRATEGIES):
        yield Problem(f"unknown MIG strategy {config.strategy}", f"use one of {', '.join(_STRATEGIES)}")
    for method, section in config.ways():
        resources = list_at(section, "resources")
        if not resources:
            yield Problem(f"sharing.{method} has no resources", "add a resource with replicas, or remove the section")
        for index, resource in enumerate(resources):
            yield from _resource_faults(f"sharing.{method}.resources[{index}]", mapping_at(resource))


def _resource_faults(place: str, resource: Mapping[str, Any]) -> Iterator[Problem]:
    if not isinstance(resource.get("name"), str):
        yield Problem(f"{place} has no name", "set name: nvidia.com/gpu")
    replicas = resource.get("replicas")
    if type(replicas) is not int or replicas < 2:  # Python's bool is an int, too
        yield Problem(
            f"{place} has replicas {replicas}, but needs a whole number of at least 2",
            "use 2 or more, or remove the entry",
        )


RULE = Rule(
    code="SHR002",
    name="invalid-plugin-config",
    severity=Severity.ERROR,
    summary="The device plugin does not start, because its configuration has an invalid value.",
    help="The device plugin reads the file at startup, and when the label of the node changes, and exits with an "
    "error. The node then has no nvidia.com/gpu at all, not even without sharing.",
    sources=(
        "https://github.com/NVIDIA/k8s-device-plugin/blob/1b826acc6af3079d8923bac395c3124b8861a9a6/api/config/v1/replicas.go",
        "https://github.com/NVIDIA/k8s-device-plugin/blob/1b826acc6af3079d8923bac395c3124b8861a9a6/api/config/v1/config.go",
        "https://github.com/NVIDIA/k8s-device-plugin/blob/1b826acc6af3079d8923bac395c3124b8861a9a6/cmd/nvidia-device-plugin/main.go",
    ),
    check=_check,
)

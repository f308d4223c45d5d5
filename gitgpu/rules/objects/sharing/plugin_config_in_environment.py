"""A configuration of the device plugin that is passed as environment variables instead of a file."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.access import list_at, reach
from gitgpu.diagnostic import Severity
from gitgpu.objects.objects import Objects
from gitgpu.objects.software.daemons import daemons
from gitgpu.objects.software.plugin_configs import plugin_configs
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer


def _check(objects: Objects) -> Iterator[Finding]:
    config_maps = {(config.item.identity.namespace, config.item.identity.name) for config in plugin_configs(objects)}
    for daemon in daemons(objects, "device-plugin"):
        if not daemon.pod:
            continue
        for place, container in daemon.pod.containers():
            for where, name in _variables(container):
                if (daemon.item.identity.namespace, name) in config_maps:
                    message = (
                        f"ConfigMap {name} is passed as environment variables, which the device plugin does not read"
                    )
                    remedy = (
                        "mount the ConfigMap as a volume, and set --config-file or CONFIG_FILE to the path of the file"
                    )
                    yield Finding(daemon.item, (*place, *where), message, remedy)


def _variables(container: Mapping[str, Any]) -> Iterator[tuple[Pointer, str | None]]:
    for index, source in enumerate(list_at(container, "envFrom")):
        yield ("envFrom", index), reach(source, "configMapRef", "name")
    for index, source in enumerate(list_at(container, "env")):
        yield ("env", index), reach(source, "valueFrom", "configMapKeyRef", "name")


RULE = Rule(
    code="SHR019",
    name="plugin-config-in-environment",
    severity=Severity.WARNING,
    summary="A configuration of the device plugin is passed to it as environment variables.",
    help="The device plugin reads its configuration only from a file. It ignores these variables, so no GPU is shared.",
    sources=(
        "https://github.com/NVIDIA/k8s-device-plugin/issues/615",
        "https://github.com/NVIDIA/k8s-device-plugin/blob/1b826acc6af3079d8923bac395c3124b8861a9a6/api/config/v1/config.go",
    ),
    check=_check,
)

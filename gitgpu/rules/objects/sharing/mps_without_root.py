"""A device plugin that shares GPUs with MPS but has no MPS root directory."""

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

from gitgpu.access import list_at, reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import CONFIG_MAP
from gitgpu.objects.objects import Identity, Objects
from gitgpu.objects.software.daemons import daemons
from gitgpu.objects.software.plugin_configs import PluginConfig, plugin_configs
from gitgpu.objects.workload.pods import Pod, words_of
from gitgpu.rules.object_rule import Finding, Rule

_FLAG, _VARIABLE = "--mps-root", "MPS_ROOT"


def _check(objects: Objects) -> Iterator[Finding]:
    for daemon in daemons(objects, "device-plugin"):
        pod = daemon.pod
        mounted = _mounted_configs(pod, objects) if pod else ()
        bare_configs = [config for config in mounted if _uses_mps(config) and not _has_root(config.body)]
        if pod and bare_configs and not any(_sets_root(container) for _, container in pod.containers()):
            message = (
                f"configuration {bare_configs[0].name} uses MPS, but the device plugin has no {_FLAG}, so it exits "
                "with an error"
            )
            remedy = (
                f"add {{name: {_VARIABLE}, value: /run/nvidia/mps}} to env, and run the MPS control daemon on the "
                "same nodes"
            )
            item, image = daemon.place
            yield Finding(item, image[:-1], message, remedy)


def _mounted_configs(pod: Pod, objects: Objects) -> Iterator[PluginConfig]:
    names = {reach(volume, "configMap", "name") for volume in list_at(pod.spec, "volumes")}
    config_maps = {Identity(*CONFIG_MAP, pod.item.identity.namespace, str(name)) for name in names if name}
    by_object = objects.once("plugin configurations by object", lambda: _configs_by_object(objects))
    return chain.from_iterable(by_object.get(identity, ()) for identity in sorted(config_maps))


def _configs_by_object(objects: Objects) -> dict[Identity, list[PluginConfig]]:
    by_object: dict[Identity, list[PluginConfig]] = {}
    for config in plugin_configs(objects):
        by_object.setdefault(config.item.identity, []).append(config)
    return by_object


def _uses_mps(config: PluginConfig) -> bool:
    entries = list_at(config.sharing, "mps", "resources")
    counts = [reach(entry, "replicas") for entry in entries]
    # The plugin starts MPS only for more than one replica.
    return any(isinstance(count, int) and count > 1 for count in counts)


def _has_root(body: Mapping[str, Any]) -> bool:
    return bool(reach(body, "flags", "mpsRoot"))


def _sets_root(container: Mapping[str, Any]) -> bool:
    """Whether the container sets the MPS root, or may do so through variables defined elsewhere."""
    names = {reach(entry, "name") for entry in list_at(container, "env")}
    if _VARIABLE in names or container.get("envFrom"):
        return True
    return any(_FLAG in word for word in words_of(container))


RULE = Rule(
    code="SHR018",
    name="mps-without-root",
    severity=Severity.ERROR,
    summary="The manifest of a device plugin mounts a configuration with MPS but does not set the MPS root.",
    help="With MPS, the device plugin needs the directory of the MPS control daemon, from --mps-root, MPS_ROOT or "
    "flags.mpsRoot. Without it the plugin exits, and the node advertises no GPU. The chart sets it; plain manifests "
    "do not.",
    sources=(
        "https://github.com/NVIDIA/k8s-device-plugin/issues/1132",
        "https://github.com/NVIDIA/k8s-device-plugin/blob/1b826acc6af3079d8923bac395c3124b8861a9a6/cmd/nvidia-device-plugin/main.go",
    ),
    check=_check,
)

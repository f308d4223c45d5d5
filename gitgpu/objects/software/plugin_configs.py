"""Configurations of NVIDIA's device plugin, which are YAML inside a string: in chart values and in ConfigMaps."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

from gitgpu.access import mapping_at, reach
from gitgpu.load.parse.quick import mapping_in
from gitgpu.model.names.kinds import CONFIG_MAP
from gitgpu.model.names.labels import DEVICE_PLUGIN_CONFIG_LABEL
from gitgpu.objects.gitops.chart_values import OPERATOR, PLUGIN, operators
from gitgpu.objects.gitops.releases import Release, releases
from gitgpu.objects.objects import Item, Objects
from gitgpu.objects.workload.pods import pods
from gitgpu.source import Pointer

METHODS = ("timeSlicing", "mps")
# Parsing every ConfigMap would be slow. Only a text with one of these words can be a configuration.
SIGNS = ("migstrategy", "timeslicing", "mps")
_SECTIONS = ("version", "flags", "resources", "sharing", "imex")
_INSIDE = {"sharing": METHODS, "flags": ("migStrategy", "failOnInitError", "plugin", "gfd")}
_MADE = {PLUGIN: ("config", "map"), OPERATOR: ("devicePlugin", "config", "data")}
_CONFIG = {PLUGIN: ("config",), OPERATOR: ("devicePlugin", "config")}


class PluginConfig(NamedTuple):
    """One configuration: its place, its name, and its content."""

    item: Item
    pointer: Pointer
    name: str
    body: Mapping[str, Any]

    @property
    def sharing(self) -> Mapping[str, Any]:
        """Its section about sharing."""
        return mapping_at(self.body, "sharing")

    @property
    def strategy(self) -> str:
        """The MIG strategy that it sets; "" if it sets none."""
        return str(reach(self.body, "flags", "migStrategy") or "")

    def ways(self) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """Each way of sharing that it sets, by name."""
        return ((way, mapping_at(self.sharing[way])) for way in METHODS if self.sharing.get(way) is not None)


class Choice(NamedTuple):
    """The configurations that nodes can select. `default` is "" if none is set; `release` is None for a DaemonSet."""

    item: Item
    pointer: Pointer
    names: frozenset[str]
    default: str
    release: Release | None = None


def plugin_configs(objects: Objects) -> tuple[PluginConfig, ...]:
    """Every text that is a configuration of the device plugin."""
    return objects.once("plugin configurations", lambda: tuple(_plugin_configs(objects)))


def _plugin_configs(objects: Objects) -> Iterator[PluginConfig]:
    for release in (*releases(objects, PLUGIN), *releases(objects, OPERATOR)):
        path = _MADE[release.chart]
        for name, text in mapping_at(release.value(*path)).items():
            body = with_known_case(mapping_in(text))
            if body:
                yield PluginConfig(release.item, release.place(*path, name), name, body)
    for item in objects.of(*CONFIG_MAP):
        for name, text in (item.body.get("data") or {}).items():
            if any(word in text.lower() for word in SIGNS):
                body = with_known_case(mapping_in(text))
                if is_config(body):
                    yield PluginConfig(item, ("data", name), name, body)


def with_known_case(body: Mapping[str, Any]) -> Mapping[str, Any]:
    """A configuration with its keys as the plugin's Go structs spell them: encoding/json ignores case."""
    folded = dict(_folded(body, _SECTIONS))
    # Below `timeSlicing` and `mps`, the plugin reads some maps itself, with regard to case (api/config/v1/replicas.go).
    for key in _INSIDE.keys() & folded.keys():
        folded[key] = _folded(folded[key], _INSIDE[key])
    return folded


def _folded(section: Any, keys: Sequence[str]) -> Any:
    if not isinstance(section, Mapping):
        return section
    names = {key.lower(): key for key in keys}
    return {names.get(key.lower(), key): value for key, value in section.items()}


def is_config(body: Mapping[str, Any]) -> bool:
    """Whether a text has keys that only the device plugin's configuration has."""
    flags = mapping_at(body, "flags")
    owners = (body, flags, mapping_at(flags, "plugin"))
    sections = [flags, *(mapping_at(owner, "sharing") for owner in owners)]
    shares = any(way in section for section, way in product(sections, METHODS))
    return str(body.get("version", "v1")) == "v1" and (shares or "migStrategy" in flags)


def choices(objects: Objects) -> tuple[Choice, ...]:
    """Every release or DaemonSet that gives configurations with known names to the device plugin."""
    return objects.once("configurations of device plugins", lambda: tuple(_choices(objects)))


def _choices(objects: Objects) -> Iterator[Choice]:
    yield from _daemon_choices(objects)
    for release in (*releases(objects, PLUGIN), *operators(objects)):
        path = _CONFIG[release.chart]
        written, name = mapping_at(release.value(*_MADE[release.chart])), release.value(*path, "name")
        names = frozenset(written) if written else _keys(str(name or ""), release.namespace, objects)
        if names and release.whole:
            default = str(release.value(*path, "default") or "")
            yield Choice(release.item, release.place(*path), names, default, release)


def _daemon_choices(objects: Objects) -> Iterator[Choice]:
    """DaemonSets with the container that looks the label up, and the ConfigMap that they mount."""
    for pod in pods(objects):
        if not pod.is_daemon:
            continue
        envs = [_variables(container) for _, container in pod.containers()]
        env = next((env for env in envs if env.get("NODE_LABEL") == DEVICE_PLUGIN_CONFIG_LABEL), None)
        if env is None:
            continue
        for volume in pod.spec.get("volumes") or ():
            name = str(reach(volume, "configMap", "name") or "")
            names = _keys(name, pod.item.identity.namespace, objects)
            if names:
                yield Choice(pod.item, (*pod.pointer, "volumes"), names, env.get("DEFAULT_CONFIG", ""))


def _variables(container: Mapping[str, Any]) -> dict[str, str]:
    entries = [entry for entry in container.get("env") or () if entry]
    return {str(entry.get("name")): str(entry.get("value") or "") for entry in entries}


def _keys(name: str, namespace: str, objects: Objects) -> frozenset[str]:
    """The names in a ConfigMap; empty unless exactly one ConfigMap has this name."""
    namesakes = [item for item in objects.of(*CONFIG_MAP) if item.identity.name == name]
    near = [item for item in namesakes if namespace in ("", item.identity.namespace)]
    return frozenset(near[0].body.get("data") or ()) if name and len(near) == 1 else frozenset()

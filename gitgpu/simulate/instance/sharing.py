"""How many pods share a GPU of a pool, and the resource that they request: from the device plugin's configuration."""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import NamedTuple

from gitgpu.access import list_at, mapping_at
from gitgpu.model.names.labels import DEVICE_PLUGIN_CONFIG_LABEL
from gitgpu.model.names.prefixes import NVIDIA_PREFIX
from gitgpu.model.syntax.requirement import Requirements
from gitgpu.objects.objects import Objects
from gitgpu.objects.software.plugin_configs import PluginConfig, choices, plugin_configs
from gitgpu.simulate.instance.instance_types import Amounts


class Shared(NamedTuple):
    """A shared resource: its name, the name that pods request, and the number of replicas of each device."""

    resource: str
    name: str
    replicas: int


def shared_resources(node: Requirements, objects: Objects) -> tuple[Shared, ...]:
    """The shared resources of nodes with these labels, in the configuration that they select or in the default one."""
    configured = {tuple(_shared(config)) for config in chosen_configs(node, objects)}
    # If two configurations have the same name, it is unknown which of them the nodes use.
    return configured.pop() if len(configured) == 1 else ()


def chosen_configs(node: Requirements, objects: Objects) -> list[PluginConfig]:
    """The device plugin configurations that nodes with these labels select. Several may have the same name."""
    named = node.get(DEVICE_PLUGIN_CONFIG_LABEL)
    names = named.values if named and not named.complement else _defaults(objects)
    return [config for config in plugin_configs(objects) if config.name in names and config.name]


def _defaults(objects: Objects) -> frozenset[str]:
    """The names of the configurations for nodes that select none."""
    return objects.once(
        "default plugin configurations", lambda: frozenset(choice.default for choice in choices(objects))
    )


def shared_amounts(offers: Amounts, shares: tuple[Shared, ...]) -> Amounts:
    """What a node offers after the device plugin has multiplied the shared resources."""
    amounts: dict[str, Decimal | None] = dict(offers)
    for share in shares:
        whole = amounts.get(share.resource)
        if whole:
            amounts[share.resource] = Decimal(0)
            amounts[share.name] = whole * share.replicas
    return amounts


def _shared(config: PluginConfig) -> Iterator[Shared]:
    for method, section in config.ways():
        renamed = section.get("renameByDefault") is True
        for entry in map(mapping_at, list_at(section, "resources")):
            yield from _shared_resource(entry, renamed=renamed and method == "timeSlicing")


def _shared_resource(entry: Mapping[str, object], *, renamed: bool) -> Iterator[Shared]:
    name, replicas = entry.get("name"), entry.get("replicas")
    # One replica is not sharing for the device plugin either (isReplicated in api/config/v1/replicas.go).
    if isinstance(name, str) and isinstance(replicas, int) and replicas > 1:
        resource = NVIDIA_PREFIX + name.removeprefix(NVIDIA_PREFIX)
        new = entry.get("rename")
        to = NVIDIA_PREFIX + new.removeprefix(NVIDIA_PREFIX) if isinstance(new, str) else resource
        yield Shared(resource, f"{resource}.shared" if renamed and to == resource else to, replicas)

"""MIG layouts: how mig-parted partitions the GPUs of a node. Nodes select them by name."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from gitgpu.access import list_at, mapping_at
from gitgpu.load.parse.quick import mapping_in
from gitgpu.model.names.kinds import CONFIG_MAP
from gitgpu.model.names.labels import MIG_CONFIG_LABEL
from gitgpu.objects.gitops.chart_values import operators
from gitgpu.objects.gitops.releases import Release
from gitgpu.objects.node.gpu_pools import GpuPool
from gitgpu.objects.objects import Item, Objects
from gitgpu.source import Pointer

KEY = "config.yaml"  # the key under which the MIG manager reads a ConfigMap
OFF = "all-disabled"
LAYOUTS = "mig-configs"
_ALL = "all-"
# The first that fits is cut off, so the longest goes first.
_VARIANTS = (".me.all", ".me", "-me", ".gfx", "+me", "+gfx")


class Layout(NamedTuple):
    """One named layout: its place, its name, and for each group of GPUs the profiles and their counts."""

    item: Item
    pointer: Pointer
    name: str
    groups: tuple[Mapping[str, int], ...]

    @property
    def profiles(self) -> frozenset[str]:
        """Every profile that occurs in it."""
        return frozenset().union(*self.groups)


def layouts(objects: Objects) -> Iterator[Layout]:
    """Every layout in the GPU Operator's values and in ConfigMaps."""
    for release in operators(objects):
        for key, text in mapping_at(release.value("migManager", "config", "data")).items():
            yield from _layouts(release.item, release.place("migManager", "config", "data", key), text)
    for item in objects.of(*CONFIG_MAP):
        for key, text in (item.body.get("data") or {}).items():
            if LAYOUTS in text:
                yield from _layouts(item, ("data", key), text)


def chosen_layout(pool: GpuPool) -> str:
    """The layout that the nodes of a pool select; "" if they select none, or MIG is off."""
    layout = pool.pool.labels.get(MIG_CONFIG_LABEL) or ""
    return "" if layout == OFF else layout


def custom(release: Release) -> bool:
    """Whether the operator reads the user's layouts instead of those that it generates from the hardware."""
    return bool(release.value("migManager", "config", "name"))


def profile_of(name: str) -> str:
    """The profile of one of the operator's own layouts, such as all-1g.10gb; "" for any other name."""
    profile = name.removeprefix(_ALL) if name.startswith(_ALL) else ""
    if not (profile[:1].isdigit() and "g." in profile):
        return ""
    for variant in _VARIANTS:
        if profile.endswith(variant):
            return profile.removesuffix(variant)
    return profile


def _layouts(item: Item, pointer: Pointer, text: Any) -> Iterator[Layout]:
    for name, entries in mapping_at(mapping_in(text).get(LAYOUTS)).items():
        groups = (mapping_at(entry, "mig-devices") for entry in list_at(entries))
        yield Layout(item, pointer, name, tuple(group for group in groups if _counted(group)))


def _counted(group: Mapping[str, Any]) -> bool:
    return bool(group) and all(type(count) is int for count in group.values())

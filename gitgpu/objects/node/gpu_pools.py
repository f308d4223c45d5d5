"""GPU pools as seen by the software on their nodes: manufacturer, installer of the driver, image."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from gitgpu.access import reach
from gitgpu.model.names.labels import NODEPOOL_LABEL
from gitgpu.model.size.node_labels import GPU_MAKER
from gitgpu.model.sku import Sku
from gitgpu.model.software.other_owner import has_other_owner
from gitgpu.model.syntax.requirement import Requirement, requirement
from gitgpu.objects.node.node_pools import NodePool, matching, node_class, node_pools, sizes
from gitgpu.objects.objects import Item, Objects

_MANAGED = "enablemanagedgpuexperience"  # Azure compares the names of tags without case
_ALWAYS_THERE = "default"  # AKS creates this node class itself


class GpuPool(NamedTuple):
    """A GPU NodePool. `node_class` is None if it is not in the input; then `mode` is "" unless AKS creates the class.

    `maker` is nvidia or amd, "" if both are possible; `skus` are its possible sizes, as far as they are known.
    """

    pool: NodePool
    node_class: Item | None
    skus: tuple[Sku, ...]
    maker: str
    mode: str
    managed: bool

    @property
    def name(self) -> str:
        """The name of the NodePool."""
        return self.pool.name

    def label(self, key: str) -> Requirement | None:
        """The values that a label of its nodes can have; None if the NodePool does not determine it."""
        return requirement(key, "In", [self.pool.name]) if key == NODEPOOL_LABEL else self.pool.together.get(key)

    @property
    def spec(self) -> Mapping[str, Any]:
        """The spec of its node class; empty if unknown."""
        return (reach(self.node_class.body, "spec") or {}) if self.node_class else {}

    @property
    def is_of_other_owner(self) -> bool:
        """Whether software outside the input advertises and measures its GPUs, according to its annotation."""
        return has_other_owner(self.pool.item.body)

    @property
    def by_aks(self) -> bool:
        """Whether AKS installs an NVIDIA driver on its nodes."""
        return self.maker == "nvidia" and self.mode == "Driver"


def gpu_pools(objects: Objects) -> tuple[GpuPool, ...]:
    """Every NodePool for GPUs."""
    return objects.once("gpu pools", lambda: tuple(_gpu_pools(objects)))


def _gpu_pools(objects: Objects) -> Iterator[GpuPool]:
    for pool in node_pools(objects):
        if pool.for_gpus:
            own_class = node_class(pool, objects)
            # If the node class leaves none of the sizes, their requirements still show the manufacturer.
            skus = sizes(pool, objects) or matching(pool, objects)
            yield GpuPool(pool, own_class, skus, _maker(pool, skus), _mode(pool, own_class), has_tag(own_class))


def tag(node_class: Item | None) -> tuple[str, str]:
    """The tag that requests AKS-managed GPUs, as written, and its value; empty if there is none."""
    return managed_tag(reach(node_class.body, "spec", "tags")) if node_class else ("", "")


def managed_tag(tags: Mapping[str, Any] | None) -> tuple[str, str]:
    """The tag among these that requests AKS-managed GPUs, as written, and its value; empty if there is none."""
    return next(((key, str(value)) for key, value in (tags or {}).items() if key.lower() == _MANAGED), ("", ""))


def has_tag(node_class: Item | None) -> bool:
    """Whether the node class requests that AKS installs the device plugin and the exporter."""
    return tag(node_class)[1].lower() == "true"


def _maker(pool: NodePool, skus: tuple[Sku, ...]) -> str:
    maker = pool.together.get(GPU_MAKER)
    if maker and not maker.complement and len(maker.values) == 1:
        return next(iter(maker.values))
    makers = {sku.manufacturer for sku in skus}
    return makers.pop() if len(makers) == 1 else ""


def _mode(pool: NodePool, node_class: Item | None) -> str:
    if node_class:
        return str(reach(node_class.body, "spec", "gpu", "mode") or "Driver")
    return "Driver" if pool.class_name == _ALWAYS_THERE else ""

"""ResourceFlavors of Kueue: which nodes they stand for, and what they need of pods."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from gitgpu.access import mapping_at, rows, text_at
from gitgpu.model.names.kinds import RESOURCE_FLAVOR
from gitgpu.objects.objects import Item, Objects

MANAGED_PREFIX = "aks-"  # of the flavors and priority classes that the managed extension of AKS creates


class Flavor(NamedTuple):
    """A ResourceFlavor: the labels and taints of its nodes, the tolerations that its pods get, and its topology."""

    item: Item
    labels: Mapping[str, str]
    taints: tuple[Mapping[str, Any], ...]
    tolerations: tuple[Mapping[str, Any], ...]
    topology: str

    @property
    def name(self) -> str:
        """The name of the flavor."""
        return self.item.identity.name


def flavors(objects: Objects) -> Mapping[str, Flavor]:
    """Every ResourceFlavor by its name, in the order of the input."""
    return objects.once("flavors", lambda: _flavors(objects))


def _flavors(objects: Objects) -> dict[str, Flavor]:
    by_name: dict[str, Flavor] = {}
    for item in objects.of(*RESOURCE_FLAVOR):
        by_name.setdefault(item.identity.name, _flavor(item))
    return by_name


def _flavor(item: Item) -> Flavor:
    labels = {str(key): str(value) for key, value in mapping_at(item.body, "spec", "nodeLabels").items()}
    taints, tolerations = (tuple(rows(item.body, "spec", key)) for key in ("nodeTaints", "tolerations"))
    return Flavor(item, labels, taints, tolerations, text_at(item.body, "spec", "topologyName"))

"""AKSNodeClasses as rules read them."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.access import reach
from gitgpu.model.names.kinds import AKS_NODE_CLASS
from gitgpu.objects.objects import Item, Objects


def node_classes(objects: Objects) -> Iterator[tuple[Item, Mapping[str, Any]]]:
    """Every AKSNodeClass and its spec. Patches contain only a part of one, and are omitted."""
    for item in objects.of(*AKS_NODE_CLASS):
        yield item, reach(item.body, "spec") or {}

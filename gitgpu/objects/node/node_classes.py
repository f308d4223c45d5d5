"""AKSNodeClasses as rules read them."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.objects.objects import Item, Objects, reach

GROUP, KIND = "karpenter.azure.com", "AKSNodeClass"


def node_classes(objects: Objects) -> Iterator[tuple[Item, Mapping[str, Any]]]:
    """Every AKSNodeClass and its spec. Patches contain only a part of one, and are omitted."""
    for item in objects.of(GROUP, KIND):
        yield item, reach(item.body, "spec") or {}

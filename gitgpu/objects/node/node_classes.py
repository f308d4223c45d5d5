"""AKSNodeClasses as rules read them."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.load.access import reach
from gitgpu.model.names.groups import KARPENTER_AZURE_GROUP
from gitgpu.objects.objects import Item, Objects

KIND = "AKSNodeClass"


def node_classes(objects: Objects) -> Iterator[tuple[Item, Mapping[str, Any]]]:
    """Every AKSNodeClass and its spec. Patches contain only a part of one, and are omitted."""
    for item in objects.of(KARPENTER_AZURE_GROUP, KIND):
        yield item, reach(item.body, "spec") or {}

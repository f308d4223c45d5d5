"""AKSNodeClasses as rules ask about them: whole ones, with what they say."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.conform.objects import Item, Objects, reach

GROUP, KIND = "karpenter.azure.com", "AKSNodeClass"


def node_classes(objects: Objects) -> Iterator[tuple[Item, Mapping[str, Any]]]:
    """Every AKSNodeClass and its spec; a patch, which says only part of one, is none."""
    for item in objects.of(GROUP, KIND):
        yield item, reach(item.body, "spec") or {}

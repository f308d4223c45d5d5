"""GPU nodes whose GPUs other software advertises and measures, and how their pool says so to rules and to import."""

from collections.abc import Mapping
from typing import Any

from gitgpu.access import MAPPING

# `driver: aks-only`. On the metadata of the pool itself: a label or annotation of its nodes would replace them.
ANNOTATION = {"gitgpu.dev/driver": "aks-only"}


def has_other_owner(pool: Mapping[str, Any]) -> bool:
    """Whether a NodePool or an AKS node pool has the annotation."""
    metadata = pool.get("metadata")
    annotations = metadata.get("annotations") if isinstance(metadata, MAPPING) else None
    return isinstance(annotations, MAPPING) and ANNOTATION.items() <= annotations.items()

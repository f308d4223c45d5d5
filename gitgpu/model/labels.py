"""Whose a label key is."""

from collections.abc import Mapping
from typing import Any


def closed_domain(key: str, row: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The domain of the key that does not open it to NodePools; `row` is the catalog's on Karpenter's labels."""
    # Karpenter compares the end of the text before the slash, so example-karpenter.sh/x is in its domain too.
    before = key.partition("/")[0]
    return next(
        (domain for domain in row["domains"] if before.endswith(domain["domain"]) and key not in domain["allowed"]),
        None,
    )


_ADDED = ("nvidia.com/device-plugin.config", "nvidia.com/dra-kubelet-plugin", "nvidia.com/mig.config")
_DISCOVERED = ("nvidia.com/gpu.", "nvidia.com/cuda.compute.")  # what KAITO reads where nothing discovers GPUs


def is_added(key: str) -> bool:
    """Is the label one that gitgpu adds to nodes by itself?"""
    return key in _ADDED or key.startswith(_DISCOVERED)

"""Which label keys are reserved, and which ones gitgpu adds."""

from collections.abc import Mapping, Sequence
from typing import Any

from gitgpu.model.names.labels import DEVICE_PLUGIN_CONFIG_LABEL, DRA_KUBELET_PLUGIN_LABEL, MIG_CONFIG_LABEL
from gitgpu.model.names.prefixes import NVIDIA_GPU_PREFIX


def closed_domain(key: str, row: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The domain in which Karpenter rejects this key in a NodePool, or None. `row` is the catalog's row of labels."""
    # Karpenter compares the end of the text before the slash, so example-karpenter.sh/x is in its domain too.
    before = key.partition("/")[0]
    domains: Sequence[Mapping[str, Any]] = row["domains"]
    for domain in domains:
        if before.endswith(domain["domain"]) and key not in domain["allowed"]:
            return domain
    return None


_ADDED = (DEVICE_PLUGIN_CONFIG_LABEL, DRA_KUBELET_PLUGIN_LABEL, MIG_CONFIG_LABEL)
_DISCOVERED = (NVIDIA_GPU_PREFIX, "nvidia.com/cuda.compute.")  # for KAITO, if nothing discovers GPUs


def is_added(key: str) -> bool:
    """Whether gitgpu itself adds the label to nodes."""
    return key in _ADDED or key.startswith(_DISCOVERED)

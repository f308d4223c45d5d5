"""Pools that KAITO creates and deletes together with a Workspace."""

from collections.abc import Mapping
from typing import Any

from gitgpu.access import reach
from gitgpu.model.names.kinds import MANAGED_CLUSTERS_AGENT_POOL
from gitgpu.model.names.labels import KAITO_MANAGED_BY_LABEL, RAGENGINE_LABEL, WORKSPACE_LABEL

_KAITO_LABELS = frozenset({KAITO_MANAGED_BY_LABEL, WORKSPACE_LABEL, RAGENGINE_LABEL})


def is_of_kaito(body: Mapping[str, Any]) -> bool:
    """Whether KAITO created the pool: a NodePool, or with its GPU provisioner an AKS node pool."""
    labels = (
        reach(body, "metadata", "labels")
        if body["kind"] != MANAGED_CLUSTERS_AGENT_POOL.kind
        else reach(body, "spec", "nodeLabels")
    )
    return isinstance(labels, Mapping) and not _KAITO_LABELS.isdisjoint(labels)

"""Clusters whose only known objects deliver to other clusters, such as an Argo CD hub."""

from collections.abc import Mapping, Sequence
from typing import Any

from gitgpu.adopt.adoption import Fate, Outcome
from gitgpu.inventory.observed import ObservedCluster
from gitgpu.model.names.groups import ARGO_GROUP, FLUX_KUSTOMIZE_GROUP, FLUX_SOURCE_GROUP
from gitgpu.model.names.kinds import HELM_VALUES, group_kind

_DELIVERING = (ARGO_GROUP, FLUX_KUSTOMIZE_GROUP, FLUX_SOURCE_GROUP)


def without_delivering(clusters: Sequence[ObservedCluster]) -> tuple[list[ObservedCluster], list[Outcome]]:
    """The clusters except those that only deliver to others, and outcomes for the objects of these."""
    kept_clusters = [seen for seen in clusters if not only_delivers(seen)]
    reason = "delivers to other clusters; nothing else was read from its own cluster"
    # If nothing else was read, these clusters are all there is.
    if not kept_clusters:
        return list(clusters), []
    outcomes: list[Outcome] = []
    for seen in clusters:
        if only_delivers(seen):
            outcomes += [Outcome(observed, Fate.LEFT, reason) for observed in seen.objects]
    return kept_clusters, outcomes


def only_delivers(seen: ObservedCluster) -> bool:
    """Whether everything that is known of a cluster is what it applies to others."""
    azure = seen.azure.span or seen.azure.resource_id or seen.azure.provisioner  # the region may be an option
    return not azure and bool(seen.objects) and all(_delivers(observed.body) for observed in seen.objects)


def _delivers(body: Mapping[str, Any]) -> bool:
    """Whether an object applies others, or is a values file of an Application."""
    group, kind = group_kind(body)
    return group in _DELIVERING or ((group, kind) == HELM_VALUES and bool(body.get("of")))

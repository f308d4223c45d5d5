"""The Azure subscriptions of the clusters of a fleet, as far as their resource IDs are known."""

from collections.abc import Iterable, Mapping

from gitgpu.model.fleet import Cluster
from gitgpu.model.syntax.resource_id import resource_id


def subscription(cluster: Cluster) -> str:
    """The subscription of a cluster, or ""."""
    return resource_id(cluster.resource_id).subscription if cluster.resource_id else ""


def mixed_regions(clusters: Iterable[Cluster]) -> Mapping[str, tuple[Cluster, ...]]:
    """The regions whose clusters belong to several known subscriptions, with a cluster of each.

    Azure's lists for one subscription do not apply to the others.
    """
    by_region: dict[str, dict[str, Cluster]] = {}
    for cluster in clusters:
        if name := subscription(cluster).lower():
            by_region.setdefault(cluster.region, {}).setdefault(name, cluster)
    several = {}
    for region, by_subscription in by_region.items():
        if len(by_subscription) > 1:
            several[region] = tuple(by_subscription.values())
    return several

"""Clusters that something else than their name identifies, and Azure prints both: the API server or their nodes."""

from collections.abc import Iterator, Sequence
from urllib.parse import urlsplit

from gitgpu.inventory.observed import ObservedCluster


def name_by_azure(clusters: Sequence[ObservedCluster]) -> Iterator[ObservedCluster]:
    """The clusters. Those that Argo CD names in its own way have their name in Azure, if their host is known there.

    Nodes name their cluster, if their resource group is known there.
    """
    groups = {
        group: cluster.name for cluster in clusters if cluster.azure.resource_id for group in cluster.azure.node_groups
    }
    hosts = {host: cluster.name for cluster in clusters for host in cluster.azure.hosts}
    in_azure: dict[str, str] = {}
    for cluster in clusters:
        name = hosts.get(_host(cluster.server), "")
        if name:
            in_azure[cluster.name] = name
    for cluster in clusters:
        name = cluster.name if cluster.azure.resource_id else in_azure.get(cluster.name, cluster.name)
        of_nodes = next((groups[group] for group in cluster.azure.node_groups if group in groups), "")
        if of_nodes and (cluster.folder or not name):
            yield cluster._replace(name=of_nodes, folder="")
        else:
            yield cluster._replace(name=name)


def _host(server: str) -> str:
    """The host name of a URL in lower case; "" if it has none."""
    try:
        return urlsplit(server).hostname or ""
    except ValueError:
        return ""

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
    azure_names: dict[str, str] = {}
    for cluster in clusters:
        name = hosts.get(_host(cluster.server), "")
        if name:
            azure_names[cluster.name] = name
    for cluster in clusters:
        name = cluster.name if cluster.azure.resource_id else azure_names.get(cluster.name, cluster.name)
        node_cluster = next((groups[group] for group in cluster.azure.node_groups if group in groups), "")
        if node_cluster and (cluster.folder or not name):
            yield cluster._replace(name=node_cluster, folder="")
        else:
            yield cluster._replace(name=name)


def _host(server: str) -> str:
    """The host name of a URL in lower case; "" if it has none."""
    try:
        return urlsplit(server).hostname or ""
    except ValueError:
        return ""

"""Clusters whose Argo CD objects have the URL of their API server, which Azure prints the host name of."""

from collections.abc import Sequence
from urllib.parse import urlsplit

from gitgpu.inventory.observed import ObservedCluster


def name_by_server(clusters: Sequence[ObservedCluster]) -> list[ObservedCluster]:
    """The clusters. Those that Argo CD names in its own way have their name in Azure, if their host is known there."""
    hosts = {host: cluster.name for cluster in clusters for host in cluster.azure.hosts}
    in_azure: dict[str, str] = {}
    for cluster in clusters:
        name = hosts.get(_host(cluster.server), "")
        if name:
            in_azure[cluster.name] = name
    return [
        cluster if cluster.azure.resource_id else cluster._replace(name=in_azure.get(cluster.name, cluster.name))
        for cluster in clusters
    ]


def _host(server: str) -> str:
    """The host name of a URL in lower case; "" if it has none."""
    try:
        return urlsplit(server).hostname or ""
    except ValueError:
        return ""

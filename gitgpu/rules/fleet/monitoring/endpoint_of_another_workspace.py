"""A query endpoint with two workspaces, or a workspace with two query endpoints."""

from collections.abc import Callable, Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Cluster
from gitgpu.model.inputs import Inputs
from gitgpu.model.metrics.servers import host, of_azure
from gitgpu.model.value_origins import stack_place, with_place
from gitgpu.rules.fleet_rule import Finding, Rule


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Clusters that share the endpoint or the workspace with an earlier cluster, but not both."""
    azure_clusters = filter(_workspace, inputs.clusters)
    clusters = [cluster for cluster in azure_clusters if of_azure(cluster.stack.metrics.server, inputs.catalog)]
    reported: set[object] = set()
    for key, value, same, other in (
        (_server, _workspace, "this endpoint", "workspace"),
        (_workspace, _server, "this workspace", "server"),
    ):
        for cluster, first in _inconsistent(clusters, key, value):
            path = ("metrics", "server") if key is _server else ("metrics", "workspace")
            origin, where = stack_place(cluster, *path)
            if (origin.ref, where, other) in reported:
                continue
            reported.add((origin.ref, where, other))
            first_place = with_place(first.name, *stack_place(first, "metrics", other))
            message = f"{first.name} and {cluster.name} share {same}, but not the {other}: see {first_place}"
            remedy = f"use the {'endpoint' if key is _server else 'ID'} of the workspace of {cluster.name}"
            yield Finding(origin, where, message, remedy)


def _server(cluster: Cluster) -> str:
    return host(cluster.stack.metrics.server)


def _workspace(cluster: Cluster) -> str:
    return (cluster.stack.metrics.workspace or "").lower()


def _inconsistent(
    clusters: list[Cluster], key: Callable[[Cluster], str], value: Callable[[Cluster], str]
) -> Iterator[tuple[Cluster, Cluster]]:
    """Each cluster whose value differs from the first cluster with its key, and that first cluster."""
    first: dict[str, Cluster] = {}
    for cluster in clusters:
        other = first.setdefault(key(cluster), cluster)
        if value(other) != value(cluster):
            yield cluster, other


RULE = Rule(
    code="MET066",
    name="endpoint-of-another-workspace",
    severity=Severity.WARNING,
    summary="Two clusters have the same query endpoint and different workspaces, or the other way round.",
    help="Each Azure Monitor workspace has its own query endpoint. One of the clusters queries a workspace that does "
    "not receive its metrics, so its queries return no data.",
    sources=("https://learn.microsoft.com/azure/azure-monitor/metrics/azure-monitor-workspace-overview",),
    check=_check,
)

"""A workspace has one query endpoint, and an endpoint answers for one workspace."""

from collections.abc import Callable, Iterator

from gitgpu.check.rule import Finding, Rule
from gitgpu.check.servers import host, of_azure
from gitgpu.check.value_origins import stack_place, with_place
from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Cluster
from gitgpu.model.inputs import Inputs

ID = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/monitoring/providers/Microsoft.Monitor"
BAD = f"""\
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {{name: prod-eus}}
spec:
  region: eastus
  kubernetesVersion: "1.36"
  stack:
    metrics:
      scrape: azure-managed
      workspace: {ID}/accounts/gpu-eus
      server: https://gpu-eus-c3d4.eastus.prometheus.monitor.azure.com
---
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {{name: prod-swc}}
spec:
  region: swedencentral
  kubernetesVersion: "1.36"
  stack:
    metrics:
      scrape: azure-managed
      workspace: {ID}/accounts/gpu-swc
      server: https://gpu-eus-c3d4.eastus.prometheus.monitor.azure.com
"""
GOOD = "https://gpu-swc-a1b2.swedencentral".join(BAD.rsplit("https://gpu-eus-c3d4.eastus", 1))


def check(inputs: Inputs) -> Iterator[Finding]:
    """Clusters that share one of the two with an earlier cluster, and not the other."""
    named = (one for one in inputs.clusters if _workspace(one))
    clusters = [one for one in named if of_azure(one.stack.metrics.server, inputs.catalog)]
    told: set[object] = set()
    for key, value, same, other in (
        (_server, _workspace, "this endpoint", "workspace"),
        (_workspace, _server, "this workspace", "server"),
    ):
        for cluster, first in _torn(clusters, key, value):
            path = ("metrics", "server") if key is _server else ("metrics", "workspace")
            origin, where = stack_place(inputs, cluster, *path)
            if (origin.ref, other) in told:
                continue
            told.add((origin.ref, other))
            there = with_place(first.name, *stack_place(inputs, first, "metrics", other))
            message = f"{first.name} and {cluster.name} name {same}, each with another {other}: {there}"
            remedy = f"write the {'endpoint' if key is _server else 'ID'} of the workspace of {cluster.name}"
            yield Finding(origin, where, message, remedy)


def _server(cluster: Cluster) -> str:
    return host(cluster.stack.metrics.server)


def _workspace(cluster: Cluster) -> str:
    return (cluster.stack.metrics.workspace or "").lower()


def _torn(
    clusters: list[Cluster], key: Callable[[Cluster], str], value: Callable[[Cluster], str]
) -> Iterator[tuple[Cluster, Cluster]]:
    """Each cluster with the first of its key, where their values differ."""
    first: dict[str, Cluster] = {}
    for cluster in clusters:
        other = first.setdefault(key(cluster), cluster)
        if value(other) != value(cluster):
            yield cluster, other


RULE = Rule(
    code="MET066",
    name="endpoint-of-another-workspace",
    severity=Severity.WARNING,
    summary="Two clusters name one query endpoint with two workspaces, or one workspace with two endpoints.",
    help="Each Azure Monitor workspace has one query endpoint of its own. One of the clusters asks a workspace that "
    "does not get its metrics: its queries have no answer.",
    sources=("https://learn.microsoft.com/azure/azure-monitor/metrics/azure-monitor-workspace-overview",),
    check=check,
    bad=BAD,
    good=GOOD,
)

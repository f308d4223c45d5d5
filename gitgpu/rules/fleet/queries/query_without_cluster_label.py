"""A query without a cluster label, to a Prometheus that holds the metrics of several clusters."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Cluster, Workload
from gitgpu.model.inputs import Inputs
from gitgpu.model.metrics.promql import read_query, selectors
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.clusters import group_clusters
from gitgpu.rules.inputs.scaled_workloads import clusters_of, queries
from gitgpu.source import Pointer
from gitgpu.spelling import join_names


class _Sent(NamedTuple):
    """A query of a workload, its place, and the clusters that send it."""

    workload: Workload
    place: Pointer
    clusters: dict[str, Cluster]


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Workloads on several clusters that send the same query without a cluster label to one server."""
    for query, sent in _without_label(inputs).items():
        clusters = [sent.clusters[name] for name in sorted(sent.clusters)]
        servers = group_clusters(clusters, lambda cluster: cluster.stack.metrics.server or "")
        for server, names in servers.items():
            # SCL006 reports a missing server.
            if server and len(names) > 1:
                shared = f"one server has the metrics of {join_names(names)}"
                message = f"the query has no cluster label, and {shared}: each cluster scales on the sum"
                yield Finding(sent.workload.origin, sent.place, message, _remedy(query[-1], names))


def _without_label(inputs: Inputs) -> Mapping[tuple[str, ...], _Sent]:
    """The queries of each workload without a cluster label. With overrides, a workload is several here."""
    sent: dict[tuple[str, ...], _Sent] = {}
    for workload, query, place in queries(inputs):
        matchers = chain.from_iterable(selector.matchers for selector in selectors(read_query(query)))
        # The labels of clusters have many names, such as cluster and cluster_name.
        if not any("cluster" in matcher.label for matcher in matchers):
            first = sent.setdefault((workload.namespace, workload.name, query), _Sent(workload, place, {}))
            first.clusters.update((cluster.name, cluster) for cluster in clusters_of(inputs, workload))
    return sent


def _remedy(query: str, names: Sequence[str]) -> str:
    """The name of the cluster, which gitgpu writes. The name of its label depends on the scraper."""
    return (
        f'select by the cluster label in {query}, such as {{cluster="{{cluster}}"}}: gitgpu writes the AKS name of '
        f"{join_names(names)} there; or add an entry for each of them to overrides, such as {{clusters: [{names[0]}], "
        "set: {scaling: {query: ...}}}"
    )


RULE = Rule(
    code="SCL023",
    name="query-without-cluster-label",
    severity=Severity.WARNING,
    summary="Several clusters send one Prometheus the same query, which has no cluster label.",
    help="An Azure Monitor workspace may contain the metrics of many clusters. A query without the label cluster adds "
    "them up, so each cluster starts replicas for the work of all.",
    sources=(
        "https://learn.microsoft.com/azure/azure-monitor/metrics/azure-monitor-workspace-overview",
        "https://learn.microsoft.com/azure/aks/autoscale-gpu-workloads-with-keda",
    ),
    check=_check,
)

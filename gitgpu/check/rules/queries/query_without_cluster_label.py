"""A query without a cluster label, to a Prometheus that holds the metrics of several clusters."""

from collections.abc import Iterator
from itertools import chain

from gitgpu.check.clusters import grouped
from gitgpu.check.rule import Finding, Rule
from gitgpu.check.scaled_workloads import clusters_of, queries
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.metrics.promql import read, selectors
from gitgpu.spelling import join_names

BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Fleet
metadata: {name: contoso-ai}
spec:
  delivery: {repository: https://github.com/contoso/gpu-fleet}
  defaults:
    stack:
      metrics:
        server: https://defaultazuremonitorworkspace-sec-a1b2.swedencentral.prometheus.monitor.azure.com
        identity: 11111111-2222-3333-4444-555555555555
---
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: prod-eus}
spec: {region: eastus, kubernetesVersion: "1.36"}
---
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: prod-swc}
spec: {region: swedencentral, kubernetesVersion: "1.36"}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: t4}
spec: {clusters: [prod-eus, prod-swc], sku: Standard_NC16as_T4_v3, limits: {gpus: 8}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuWorkload
metadata: {name: ranker, namespace: serving}
spec:
  pools: [t4]
  target: {kind: Deployment, name: ranker}
  scaling: {metric: query, query: sum(requests_waiting), target: 5, max: 8}
"""
GOOD = BAD.replace("clusters: [prod-eus, prod-swc]", "clusters: [prod-swc]")


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Workloads on several clusters that send the same query without a cluster label to one server."""
    for workload, query, place in queries(inputs):
        matchers = chain.from_iterable(selector.matchers for selector in selectors(read(query)))
        # The labels of clusters have many names, such as cluster and cluster_name.
        if any("cluster" in matcher.label for matcher in matchers):
            continue
        servers = grouped(clusters_of(inputs, workload), lambda cluster: cluster.stack.metrics.server or "")
        for server, names in servers.items():
            # SCL006 reports a missing server.
            if server and len(names) > 1:
                shared = f"one server has the metrics of {join_names(names)}"
                message = f"the query has no cluster label, and {shared}: each cluster scales on the sum"
                remedy = "create a pool and a GpuWorkload for each cluster, and select by its cluster label"
                yield Finding(workload.origin, place, message, remedy)


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
    bad=BAD,
    good=GOOD,
)

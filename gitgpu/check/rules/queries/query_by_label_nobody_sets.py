"""A query for GPU metrics should ask by labels that they have."""

from collections.abc import Iterator

from gitgpu.check.names import join_names
from gitgpu.check.rule import Finding, Rule
from gitgpu.check.scaled_workloads import clusters_of, queries
from gitgpu.diagnostic import Severity
from gitgpu.model.catalog import Facts
from gitgpu.model.fleet import Cluster, Workload
from gitgpu.model.inputs import Inputs, driver_on
from gitgpu.model.promql import read, selectors

BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: prod-swc}
spec:
  region: swedencentral
  kubernetesVersion: "1.36"
  stack: {metrics: {scrape: prometheus-operator, server: "http://prometheus.monitoring:9090"}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuWorkload
metadata: {name: ranker, namespace: serving}
spec:
  pools: [t4]
  target: {kind: Deployment, name: ranker}
  scaling: {metric: query, query: 'sum(DCGM_FI_DEV_GPU_UTIL{deployment="ranker"})', target: 70, max: 8}
"""
GOOD = BAD.replace('deployment="ranker"', 'namespace="serving",pod=~"ranker-.*"')
INSTEAD = {"exported_pod": "pod", "exported_namespace": "namespace", "exported_container": "container"}


def check(inputs: Inputs) -> Iterator[Finding]:
    """Queries that look for GPU metrics by a label that neither exporter nor scrape of gitgpu's sets."""
    for workload, query, place in queries(inputs):
        odd = _odd(query, inputs.catalog.must("series", "dcgm"))
        if odd and all(_ours(inputs, workload, cluster) for cluster in clusters_of(inputs, workload)):
            message = f"neither the DCGM exporter nor the scrape sets the label {join_names(odd)}"
            instead = INSTEAD.get(odd[0], "namespace and pod")
            yield Finding(workload.origin, place, message, f"ask by {instead}, or let the scrape set the label")


def _odd(query: str, row: Facts) -> list[str]:
    """The labels, each once, by which the query asks for a metric of this family and which it does not have."""
    fields = (one for one in selectors(read(query)) if one.metric.startswith(row["prefix"]) and ":" not in one.metric)
    asked = (match.label for one in fields for match in one.matchers)
    return [label for label in dict.fromkeys(asked) if label not in row["labels"]]


def _ours(inputs: Inputs, workload: Workload, cluster: Cluster) -> bool:
    """Does gitgpu bring the exporter and the scrape of all the workload's nodes on the cluster?"""
    drivers = {driver_on(cluster, pool) for pool in inputs.pools_of(workload) if cluster.name in pool.clusters}
    metrics = cluster.stack.metrics
    return drivers <= {"aks", "operator"} and metrics.exporter and metrics.scrape != "none"


RULE = Rule(
    code="SCL018",
    name="query-by-label-nobody-sets",
    severity=Severity.WARNING,
    summary="The query that a workload scales on asks for GPU metrics by a label that they do not have.",
    help="DCGM's exporter knows pods, not what made them: there is no label for a Deployment. gitgpu scrapes with "
    "honorLabels, so the labels of the pod are namespace, pod and container, without exported_ before them. A query by "
    "another label finds nothing, which KEDA reads as 0.",
    sources=(
        "https://github.com/NVIDIA/dcgm-exporter/blob/d5e5f510a1b6b393f39a43293ccd9dc985defc79/internal/pkg/rendermetrics/render_metrics.go",
        "https://github.com/NVIDIA/dcgm-exporter/blob/d5e5f510a1b6b393f39a43293ccd9dc985defc79/internal/pkg/transformation/const.go",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)

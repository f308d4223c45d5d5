"""A workload that goes to zero needs a query that lasts without its pods."""

from collections.abc import Iterator

from gitgpu.check.names import join_names
from gitgpu.check.rule import Finding, Rule
from gitgpu.check.scaled_workloads import queries
from gitgpu.diagnostic import Severity
from gitgpu.model.catalog import Catalog
from gitgpu.model.inputs import Inputs
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
  scaling: {metric: query, query: 'sum(vllm:num_requests_waiting)', target: 5, min: 0, max: 8}
"""
GOOD = BAD.replace("min: 0", "min: 1")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Workloads from zero whose query is about what GPU pods and their nodes report, and nothing else."""
    for workload, query, place in queries(inputs):
        if workload.scaling and workload.scaling.lowest == 0:
            by = [_by(one.metric, inputs.catalog) for one in selectors(read(query))]
            if by and all(by):
                sources = join_names(dict.fromkeys(by))
                message = f"all that the query asks for is reported by {sources}: without a pod, nothing"
                remedy = "write min: 1, or ask for what waits before the pods, such as a gateway's queue"
                yield Finding(workload.origin, place, message, remedy)


def _by(metric: str, catalog: Catalog) -> str:
    """Who reports a metric, when it ends with the pods; "" where it lasts or is not known."""
    rows = catalog.rows("series").values()
    found = (row["by"] for row in rows if metric.startswith(row["prefix"]) and metric not in row["lasting"])
    return next(found, "")


RULE = Rule(
    code="SCL022",
    name="query-that-ends-with-the-pods",
    severity=Severity.WARNING,
    summary="A workload scales to zero on a query about what its own pods report.",
    help="With the last pod such a series ends, KEDA reads the empty answer as 0, and nothing wakes the workload "
    "again. Requests that come meanwhile reach no pod that could count them.",
    sources=(
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/pkg/scalers/prometheus_scaler.go",
        "https://github.com/vllm-project/vllm/blob/f7e3a0879e633f9924d477b85a3775cb1ae2a2e5/docs/design/metrics.md",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)

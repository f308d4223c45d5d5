"""What is divided by the replicas should be a sum."""

from collections.abc import Iterator

from gitgpu.check.rule import Finding, Rule
from gitgpu.check.scaled_workloads import queries
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.promql import read

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
  scaling: {metric: query, query: avg(requests_waiting), target: 5, max: 8}
"""
GOOD = BAD.replace("avg(", "sum(")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Queries that are an average as a whole."""
    for workload, query, place in queries(inputs):
        whole = read(query)
        if whole and whole.name == "avg" and not whole.by and not whole.without:
            message = "the query is an average, and target is what each replica shall have of it: it is divided twice"
            remedy = "write sum(...) for avg(...); for GPU use, write metric: gpu-utilization in place of query"
            yield Finding(workload.origin, place, message, remedy)


RULE = Rule(
    code="SCL021",
    name="average-shared-again",
    severity=Severity.WARNING,
    summary="The query that a workload scales on is an average, which is then divided by the number of replicas.",
    help="The answer to a query is shared among the replicas (AverageValue), so it should grow with the work that "
    "there is. An average does not: twice the replicas halve what each is thought to have, and the workload stays "
    "small.",
    sources=(
        "https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale/",
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/pkg/scalers/prometheus_scaler.go",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)

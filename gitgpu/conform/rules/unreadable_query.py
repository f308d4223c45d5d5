"""A query that is no PromQL."""

from collections.abc import Iterator

from gitgpu.conform.objects import Objects
from gitgpu.conform.queries import queries
from gitgpu.conform.rule import Finding, Rule
from gitgpu.diagnostic import Severity
from gitgpu.model.promql import unreadable

BAD = """
apiVersion: monitoring.coreos.com/v1
kind: PrometheusRule
metadata: {name: gpu, namespace: monitoring}
spec:
  groups:
  - name: gpu
    rules: [{alert: GpuHot, expr: "max by (Hostname) (DCGM_FI_DEV_GPU_TEMP > 85", for: 10m}]
"""


def _check(objects: Objects) -> Iterator[Finding]:
    for query in queries(objects):
        if fault := unreadable(query.text):
            message = f"Prometheus cannot read the query: {fault}"
            yield Finding(
                query.item, query.pointer, message, "close each bracket and each quote, in the order they open"
            )


RULE = Rule(
    code="MON018",
    name="unreadable-query",
    severity=Severity.ERROR,
    summary="A query has brackets or quotes that do not fit.",
    help="The Prometheus Operator leaves out the whole PrometheusRule, KEDA gets an error each time it asks, and "
    "prometheus-adapter finds no series.",
    sources=(
        "https://prometheus.io/docs/prometheus/latest/querying/basics/",
        "https://prometheus-operator.dev/docs/api-reference/api/",
    ),
    check=_check,
    bad=BAD,
    good=BAD.replace("TEMP >", "TEMP) >"),
)

"""A query that is not PromQL."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.metrics.endpoints import speaks_promql
from gitgpu.model.metrics.promql_faults import refusal
from gitgpu.model.syntax.templates import is_template
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.scaled_workloads import clusters_of, queries


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Queries that Prometheus rejects, unless the server uses another language or the query is a template."""
    for workload, query, place in queries(inputs):
        servers = (cluster.stack.metrics.server for cluster in clusters_of(inputs, workload))
        elsewhere = is_template(query) or not all(speaks_promql(server or "") for server in servers)
        if refused := None if elsewhere else refusal(query):
            message = f"the query is not valid PromQL: {refused.reason}"
            yield Finding(workload.origin, place, message, refused.remedy)


RULE = Rule(
    code="SCL016",
    name="invalid-promql",
    twin="MON018",
    severity=Severity.ERROR,
    summary="The query that a workload scales on is not PromQL.",
    help="Prometheus returns an error for such a query each time KEDA sends it, and the workload keeps its replicas. "
    "Syntax, functions and argument types are checked as of Prometheus 3.14. Queries to a server whose address names "
    "VictoriaMetrics or Loki, and queries with {{ }} or ${ }, are not checked.",
    sources=(
        "https://github.com/prometheus/prometheus/blob/6dd98681cf4e5535807777625dd341577b5c4706/docs/querying/basics.md",
        "https://github.com/kedacore/keda/blob/8b4f083ca8c8c2baf8477e322bd4d16ac4dfa09a/pkg/scalers/prometheus_scaler.go",
    ),
    check=_check,
)

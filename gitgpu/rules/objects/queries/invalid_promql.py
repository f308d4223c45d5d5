"""A query that is not valid PromQL."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.metrics.endpoints import speaks_promql
from gitgpu.model.metrics.promql_faults import refusal
from gitgpu.objects.monitoring.queries import queries
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for query in queries(objects):
        server = query.trigger.metadata.get("serverAddress") if query.trigger else ""
        if refused := refusal(query.text) if speaks_promql(server or "") else None:
            message = f"invalid PromQL: {refused.reason}"
            yield Finding(query.item, query.pointer, message, refused.remedy)


RULE = Rule(
    code="MON018",
    name="invalid-promql",
    twin="SCL016",
    severity=Severity.ERROR,
    summary="A query is not valid PromQL.",
    help="The Prometheus Operator ignores the whole PrometheusRule, KEDA gets an error for each query, and "
    "prometheus-adapter finds no series. gitgpu also checks the rules in a PrometheusRuleGroup of Azure Service "
    "Operator and in values of kube-prometheus-stack. It checks syntax, functions and the types of their arguments as "
    "of Prometheus 3.14. It does not check queries of a ScaledObject whose address names VictoriaMetrics or Loki, "
    "queries with {{ }} or ${ }, or dashboards with Grafana variables.",
    sources=(
        "https://prometheus.io/docs/prometheus/latest/querying/basics/",
        "https://azure.github.io/azure-service-operator/reference/alertsmanagement/v1api20230301",
        "https://github.com/prometheus-community/helm-charts/blob/cf408a290aec489277a94450bb3511432477a53a/charts/kube-prometheus-stack/templates/prometheus/additionalPrometheusRules.yaml",
        "https://prometheus-operator.dev/docs/api-reference/api/",
    ),
    check=_check,
)

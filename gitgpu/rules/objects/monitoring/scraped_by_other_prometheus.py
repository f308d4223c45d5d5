"""A trigger that queries a different Prometheus from the one that scrapes the GPU metrics."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.names.groups import AZURE_MONITORING_GROUP, AZURE_MONITORING_V1, MONITORING_V1
from gitgpu.model.syntax.templates import is_template
from gitgpu.objects.monitoring.monitors import chart_monitors, endpoints
from gitgpu.objects.monitoring.queries import trigger_queries
from gitgpu.objects.objects import Objects
from gitgpu.objects.schema.contract import api_group
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    scraped = {endpoint.item.identity.group for endpoint in endpoints(objects) if endpoint.of_dcgm}
    for _, _, settings in chart_monitors(objects):
        scraped.add(api_group(str(settings.get("apiVersion") or MONITORING_V1)))
    if len(scraped) != 1:
        return  # where both scrape, either server has the metrics
    (group,) = scraped
    for query in trigger_queries(objects):
        if not query.trigger or not query.of_dcgm:
            continue
        address = query.trigger.metadata.get("serverAddress") or ""
        if not address or is_template(address):
            continue
        on_azure = objects.catalog.must("agents", "ama-metrics")["host"] in address
        if on_azure != (group == AZURE_MONITORING_GROUP):
            place = query.trigger.place("serverAddress")
            yield Finding(query.item, place, _message(on_azure, group), _remedy(on_azure))


def _message(on_azure: bool, group: str) -> str:
    server = "Azure Monitor" if on_azure else "a Prometheus other than Azure Monitor"
    return f"the trigger queries {server}, which may not have the metrics: the DCGM monitors are in {group}"


def _remedy(on_azure: bool) -> str:
    right = AZURE_MONITORING_V1 if on_azure else MONITORING_V1
    return f"change the apiVersion of the monitor to {right}, or query the Prometheus that scrapes it"


RULE = Rule(
    code="MON004",
    name="scraped-by-other-prometheus",
    twin="SCL025",
    severity=Severity.WARNING,
    summary="A trigger reads DCGM metrics from one Prometheus, but the monitors of the exporter are for another.",
    help="The Azure Monitor agent reads only monitors of azmonitoring.coreos.com, the Prometheus Operator only "
    "monitors of monitoring.coreos.com. Unless one writes to the other, the query returns no data.",
    sources=(
        "https://learn.microsoft.com/azure/azure-monitor/containers/prometheus-metrics-scrape-crd",
        "https://github.com/Azure/prometheus-collector/blob/39583fd50b2f828f83cc18fc0cece9e3074f56db/internal/docs/Operator-CRD.md",
    ),
    facts=("agents/ama-metrics", "exporters"),
    check=_check,
)

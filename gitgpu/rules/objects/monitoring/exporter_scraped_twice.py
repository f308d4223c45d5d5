"""A monitor or ScrapeConfig for an exporter whose chart creates one as well."""

from collections.abc import Iterator

from gitgpu.access import mapping_at, reach
from gitgpu.diagnostic import Severity
from gitgpu.model.catalog import Facts
from gitgpu.model.names.groups import MONITORING_V1
from gitgpu.model.names.kinds import SERVICE_MONITOR
from gitgpu.objects.gitops.releases import releases
from gitgpu.objects.monitoring.discovered_pods import ScrapedPort, scrapers
from gitgpu.objects.monitoring.monitors import ChartMonitor, Endpoint, endpoints, exporter_monitors
from gitgpu.objects.objects import Item, Objects
from gitgpu.objects.schema.contract import api_group
from gitgpu.rules.object_rule import Finding, Rule

_STACK = "kube-prometheus-stack"


def _check(objects: Objects) -> Iterator[Finding]:
    for monitor in exporter_monitors(objects):
        if not monitor.certain:
            continue
        group = api_group(str(monitor.settings.get("apiVersion") or MONITORING_V1))
        for item in _others(monitor, objects):
            if item.identity.group == group and _reads_both(item, monitor, objects):
                path = ".".join(monitor.row["monitor"])
                kind, name = item.identity.kind, item.identity.name
                message = f"{kind} {name} scrapes the exporter, and so does the ServiceMonitor that the chart creates"
                if "enabled" not in monitor.settings:
                    message += " by default"
                remedy = f"set {path}.enabled: false, or delete {kind} {name}"
                yield Finding(*monitor.release.locate(*monitor.row["monitor"]), message, remedy)


def _others(monitor: ChartMonitor, objects: Objects) -> Iterator[Item]:
    """The monitors and ScrapeConfigs that certainly scrape the exporter of the chart."""
    release, row = monitor.release, monitor.row
    if release.value("nameOverride") or not release.namespace:  # the first changes the labels
        return
    for endpoint in endpoints(objects):
        selects = endpoint.only_labels and endpoint.selector.items() <= row["labels"].items()
        if selects and _is_port_of(row, endpoint) and endpoint.sees(release.namespace):
            yield endpoint.item
    port = ScrapedPort(release.namespace, row["labels"], row["podPort"], row["servicePort"], row["port"])
    yield from scrapers(objects, port)


def _is_port_of(row: Facts, endpoint: Endpoint) -> bool:
    """Whether the endpoint is the port of the exporter, by the name or the number of its Service or its container."""
    reads_services = endpoint.item.identity.kind == SERVICE_MONITOR.kind
    port, number, target = map(endpoint.body.get, ("port", "portNumber", "targetPort"))
    if port is not None:
        return bool(port == row["servicePort" if reads_services else "podPort"])
    if number is not None and not reads_services:
        return bool(number == row["port"])
    return target in (row["port"], row["podPort"])


def _reads_both(item: Item, monitor: ChartMonitor, objects: Objects) -> bool:
    """Whether a Prometheus that reads the object also reads the chart's monitor.

    It does if it is selected by its labels and namespace and the other one has both, or if the only Prometheus here
    selects every monitor.
    """
    own = mapping_at(reach(item.body, "metadata", "labels"))
    chart_labels = {**monitor.row["labels"], **mapping_at(monitor.settings.get("additionalLabels"))}
    is_alike = item.identity.kind == SERVICE_MONITOR.kind and own.items() <= chart_labels.items()
    if is_alike and item.identity.namespace == monitor.release.namespace:
        return True
    stacks = list(releases(objects, _STACK))
    if len(stacks) != 1 or not stacks[0].whole or stacks[0].value("prometheus", "enabled") is False:
        return False
    spec = mapping_at(stacks[0].value("prometheus", "prometheusSpec"))
    kinds = {SERVICE_MONITOR.kind, item.identity.kind}
    return all(
        spec.get(f"{key}SelectorNilUsesHelmValues") is False
        and not spec.get(f"{key}Selector")
        and not spec.get(f"{key}NamespaceSelector")
        for key in (f"{kind[0].lower()}{kind[1:]}" for kind in kinds)
    )


RULE = Rule(
    code="MON100",
    name="exporter-scraped-twice",
    severity=Severity.WARNING,
    summary="A monitor or ScrapeConfig scrapes a DCGM exporter whose chart also creates a ServiceMonitor for it.",
    help="Every metric of a GPU is then collected twice, so sums and counts over GPUs are doubled. As of 26.7.0 the "
    "GPU Operator creates its ServiceMonitor by default if the cluster has the CRD of the Prometheus Operator. "
    "Reported only if a Prometheus that reads one of them also reads the other.",
    sources=(
        "https://github.com/NVIDIA/gpu-operator/blob/10ee5b3638b89e11e949412aafa5ba99279c3721/deployments/gpu-operator/values.yaml",
        "https://github.com/NVIDIA/gpu-operator/blob/10ee5b3638b89e11e949412aafa5ba99279c3721/assets/state-dcgm-exporter/0500_service_monitor.yaml",
        "https://github.com/NVIDIA/dcgm-exporter/blob/d5e5f510a1b6b393f39a43293ccd9dc985defc79/deployment/templates/service-monitor.yaml",
    ),
    facts=("exporters",),
    check=_check,
)

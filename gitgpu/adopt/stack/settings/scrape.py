"""What scrapes GPU metrics, according to the API group of monitors that select an exporter."""

from collections.abc import Iterator

from gitgpu.access import mapping_at, reach
from gitgpu.adopt.stack.evidence import Evidence
from gitgpu.adopt.stack.gpu_daemons import EXPORTER
from gitgpu.adopt.stack.own_scraping import gpu_endpoints, settings_of_charts
from gitgpu.adopt.stack.owned_software import owned_software
from gitgpu.adopt.stack.selected_labels import selected_labels
from gitgpu.adopt.stack.settings.endpoint import azure_server
from gitgpu.adopt.stack.view import View
from gitgpu.model.driver_owner import AKS_ONLY
from gitgpu.model.names.groups import AZURE_MONITORING_GROUP, MONITORING_GROUP
from gitgpu.model.names.kinds import CONFIG_MAP, SCRAPE_CONFIG
from gitgpu.objects.monitoring.monitors import Endpoint

_SCRAPERS = {AZURE_MONITORING_GROUP: "azure-managed", MONITORING_GROUP: "prometheus-operator"}
_PATH = ("metrics", "scrape")
_AGENT = "ama-metrics-prometheus-config"  # the ConfigMap with scrape jobs for Azure's agent


def infer(view: View) -> Iterator[Evidence]:
    """The scraper, its interval, and the labels with which a Prometheus selects its monitors."""
    if view.has(AKS_ONLY) and not view.has("aks", "operator", "managed"):
        yield Evidence(_PATH, "none", "with driver: aks-only, gitgpu measures no GPUs", view.bare)
        return
    details = owned_software(view, EXPORTER) is None  # else gitgpu writes no monitor that they would be for
    for endpoint in gpu_endpoints(view):
        name = f"{endpoint.item.identity.kind} {endpoint.item.identity.name}"
        scraper = _SCRAPERS[endpoint.item.identity.group]
        reason = f"{name} scrapes the exporter, in the API group {endpoint.item.identity.group}"
        yield Evidence(_PATH, scraper, reason, view.original(endpoint.item), ("apiVersion",))
        if details:
            yield from _interval(endpoint, name, view)
            yield from selected_labels(endpoint.item, name, view)
    for evidence in _chart_monitors(view):
        if details or evidence.path == _PATH:
            yield evidence
    yield from _scrape_configs(view)
    yield from _azure_jobs(view)
    yield Evidence(_PATH, "none", "nothing in the input scrapes GPU metrics", view.bare)


def _chart_monitors(view: View) -> Iterator[Evidence]:
    """The monitors that charts create."""
    for item, pointer, given in settings_of_charts(view):
        observed = view.original(item)
        family = str(given.get("apiVersion") or MONITORING_GROUP).partition("/")[0]
        reason = f"{observed.name} creates a ServiceMonitor for its exporter, in the API group {family}"
        yield Evidence(_PATH, _SCRAPERS.get(family, "prometheus-operator"), reason, observed, pointer)
        interval = given.get("interval")
        if isinstance(interval, str):
            reason = f"{observed.name} sets a scrape interval of {interval} for its exporter"
            yield Evidence(("metrics", "interval"), interval, reason, observed, (*pointer, "interval"))
        labels = mapping_at(given, "additionalLabels")
        if labels:
            reason = f"{observed.name} gives the ServiceMonitor of its exporter these labels"
            yield Evidence(("metrics", "labels"), dict(labels), reason, observed, (*pointer, "additionalLabels"))


def _scrape_configs(view: View) -> Iterator[Evidence]:
    """ScrapeConfigs: the exporter of AKS managed GPU nodes has no Service and no pod that a monitor could select."""
    for item in view.objects.of(*SCRAPE_CONFIG):
        if "dcgm-exporter" not in str(item.body.get("spec")):
            continue
        name = f"ScrapeConfig {item.identity.name}"
        reason = f"{name} scrapes the exporter of AKS managed GPU nodes"
        yield Evidence(_PATH, "prometheus-operator", reason, view.original(item), ("spec",))
        interval = reach(item.body, "spec", "scrapeInterval")
        if isinstance(interval, str):
            place = ("spec", "scrapeInterval")
            yield Evidence(
                ("metrics", "interval"), interval, f"{name} scrapes every {interval}", view.original(item), place
            )
        yield from selected_labels(item, name, view)


def _interval(endpoint: Endpoint, name: str, view: View) -> Iterator[Evidence]:
    interval = endpoint.body.get("interval")
    if isinstance(interval, str):
        reason = f"{name} scrapes every {interval}"
        place = (*endpoint.pointer, "interval")
        yield Evidence(("metrics", "interval"), interval, reason, view.original(endpoint.item), place)


def _azure_jobs(view: View) -> Iterator[Evidence]:
    """The scrape jobs of Azure's agent, and KEDA triggers that query Azure managed Prometheus."""
    for item in view.objects.of(*CONFIG_MAP):
        texts = mapping_at(item.body, "data")
        if item.identity.name == _AGENT:
            for key, text in texts.items():
                if "dcgm" in str(text).lower():
                    reason = f"a job of ConfigMap {_AGENT} scrapes DCGM: delete the job when the ServiceMonitor exists"
                    yield Evidence(_PATH, "azure-managed", reason, view.original(item), ("data", key))
    server = azure_server(view)
    if server:
        yield server._replace(path=_PATH, value="azure-managed")

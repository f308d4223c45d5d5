"""How a running exporter is scraped, if gitgpu's monitor would not scrape in the same way."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.access import mapping_at, text_at
from gitgpu.adopt.stack.evidence import ObservedPlace
from gitgpu.adopt.stack.gpu_daemons import is_ours
from gitgpu.adopt.stack.view import View
from gitgpu.inventory.observed import Observed
from gitgpu.model.names.kinds import POD_MONITOR
from gitgpu.objects.gitops.chart_values import OPERATOR, policies
from gitgpu.objects.gitops.releases import releases
from gitgpu.objects.monitoring.monitors import Endpoint, chart_monitors, endpoints
from gitgpu.objects.objects import Item
from gitgpu.source import Pointer

_ANNOTATION = "prometheus.io/scrape"
_OF_ENDPOINT = (
    "relabelings",
    "metricRelabelings",
    "tlsConfig",
    "basicAuth",
    "bearerTokenSecret",
    "authorization",
    "oauth2",
    "params",
    "proxyUrl",
)
_OF_MONITOR = ("targetLabels", "podTargetLabels")
_OF_AMD = "amd-gpu-operator-metrics-exporter"


def gpu_endpoints(view: View) -> list[Endpoint]:
    """The endpoints of monitors that select an exporter by its usual labels."""
    return [endpoint for endpoint in endpoints(view.objects) if _is_of_gpus(endpoint)]


def _is_of_gpus(endpoint: Endpoint) -> bool:
    selector = endpoint.selector.values()
    return endpoint.of_dcgm or _OF_AMD in selector or any("metrics-exporter" in value for value in selector)


def unsaid_settings(view: View) -> Iterator[tuple[ObservedPlace, str]]:
    """Settings of monitors, and of charts that create them, which gitgpu's monitor does not have: place and name."""
    for endpoint in gpu_endpoints(view):
        observed = view.original(endpoint.item)
        yield from _unsaid(endpoint.body, ObservedPlace(observed, endpoint.pointer), _OF_ENDPOINT)
        spec = mapping_at(endpoint.item.body, "spec")
        yield from _unsaid(spec, ObservedPlace(observed, ("spec",)), _OF_MONITOR)
    for item, pointer, given in settings_of_charts(view):
        yield from _unsaid(given, ObservedPlace(view.original(item), pointer), _OF_ENDPOINT)


def settings_of_charts(view: View) -> Iterator[tuple[Item, Pointer, Mapping[str, Any]]]:
    """The settings of monitors in charts. The GPU Operator creates one only if its values enable it."""
    for item, pointer, given in (*chart_monitors(view.objects), *_policy_monitors(view)):
        if given.get("enabled") is True or pointer[-2:] != ("dcgmExporter", "serviceMonitor"):
            yield item, pointer, given


def _policy_monitors(view: View) -> Iterator[tuple[Item, Pointer, Mapping[str, Any]]]:
    """The settings of monitors in ClusterPolicies of operators whose release is not in the input."""
    keys = ("dcgmExporter", "serviceMonitor")
    if not any(True for _ in releases(view.objects, OPERATOR)):
        for policy in policies(view.objects):
            yield policy.item, policy.place(*keys), mapping_at(policy.value(*keys))


def _unsaid(
    given: Mapping[str, Any], place: ObservedPlace, keys: tuple[str, ...]
) -> Iterator[tuple[ObservedPlace, str]]:
    for key in keys:
        if given.get(key):
            yield ObservedPlace(place.observed, (*place.pointer, key)), key


def kept_monitor(view: View) -> tuple[ObservedPlace, str] | None:
    """The first monitor of another author that gitgpu's would not replace, and why, as a clause."""
    for place, key in unsaid_settings(view):
        if not is_ours(place.observed):
            reason = f"{place.observed.name} has {key}, which the monitor that gitgpu writes does not have: it stays"
            return place, reason
    return None


def why_exporter_stays(daemon: Observed, view: View) -> str:
    """Why an exporter has to stay, so that its metrics stay the same; "" if gitgpu's monitor takes over."""
    template = mapping_at(daemon.body, "spec", "template")
    if _is_annotated(template):
        return f"its annotation {_ANNOTATION} has it scraped, which gitgpu's does not have: it stays as it is"
    labels = mapping_at(template, "metadata", "labels")
    namespace = text_at(daemon.body, "metadata", "namespace")
    services = [service for service in _services(view, namespace) if _selects(service, labels)]
    if any(map(_is_annotated, services)):
        return f"the annotation {_ANNOTATION} of its Service has it scraped: it stays as it is"
    for endpoint in endpoints(view.objects):
        # A monitor that names no usual label of an exporter would not select gitgpu's.
        if _is_of_gpus(endpoint) or not endpoint.only_labels or not endpoint.sees(namespace):
            continue
        if any(endpoint.selector.items() <= each.items() for each in _labels(endpoint, labels, services)):
            name = view.original(endpoint.item).name
            return f"{name} scrapes it, and would not select gitgpu's: it stays as it is"
    return ""


def _labels(
    endpoint: Endpoint, of_pods: Mapping[str, Any], services: list[Mapping[str, Any]]
) -> Iterator[Mapping[str, Any]]:
    """The labels that a monitor can select. A Service that was not read probably has those of its pods."""
    if endpoint.item.identity.kind == POD_MONITOR.kind or not services:
        yield of_pods
    else:
        yield from (mapping_at(service, "metadata", "labels") for service in services)


def _services(view: View, namespace: str) -> Iterator[Mapping[str, Any]]:
    for observed in view.cluster.objects:
        if observed.body.get("kind") == "Service" and text_at(observed.body, "metadata", "namespace") == namespace:
            yield observed.body


def _selects(service: Mapping[str, Any], labels: Mapping[str, Any]) -> bool:
    selector = mapping_at(service, "spec", "selector")
    return bool(selector) and selector.items() <= labels.items()


def _is_annotated(body: Mapping[str, Any]) -> bool:
    return str(mapping_at(body, "metadata", "annotations").get(_ANNOTATION)).lower() == "true"

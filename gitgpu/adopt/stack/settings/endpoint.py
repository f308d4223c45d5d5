"""The Prometheus that KEDA and Prometheus Adapter query, and the identity with which KEDA queries it."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.adopt.stack.evidence import Evidence
from gitgpu.adopt.stack.installed import installed_charts
from gitgpu.adopt.stack.view import View
from gitgpu.model.metrics.servers import of_azure
from gitgpu.model.names.kinds import TRIGGER_AUTHENTICATION
from gitgpu.objects.workload.autoscalers import Trigger, triggers

_SERVER, _IDENTITY = ("metrics", "server"), ("metrics", "identity")


def infer(view: View) -> Iterator[Evidence]:
    """The endpoint and the identity of Prometheus triggers, then the endpoint of the adapter."""
    for trigger in _prometheus(view):
        server = trigger.metadata.get("serverAddress")
        if server:
            reason = f"{trigger.item.identity.kind} {trigger.item.identity.name} queries this server"
            place = trigger.place("serverAddress")
            yield Evidence(_SERVER, server, reason, view.original(trigger.item), place)
            yield from _identity(trigger, view)
    for chart in installed_charts(view, "prometheus-adapter"):
        # The chart appends `port` to the URL, which is then not the whole address.
        url = chart.release.value("prometheus", "url") if chart.release else None
        if chart.release and isinstance(url, str) and not chart.release.value("prometheus", "port"):
            place = chart.release.place("prometheus", "url")
            yield Evidence(_SERVER, url, f"{chart.title} queries this server", chart.observed, place)


def azure_server(view: View) -> Evidence | None:
    """Evidence from the first trigger that queries Azure managed Prometheus for GPU metrics; None without one."""
    for trigger in _prometheus(view):
        server, query = (str(trigger.metadata.get(key, "")) for key in ("serverAddress", "query"))
        if of_azure(server, view.catalog) and ("DCGM_" in query or "gpu_" in query):
            name = f"{trigger.item.identity.kind} {trigger.item.identity.name}"
            reason = f"{name} queries Azure managed Prometheus for GPU metrics"
            return Evidence(_SERVER, server, reason, view.original(trigger.item), trigger.place("serverAddress"))
    return None


def _prometheus(view: View) -> Iterator[Trigger]:
    return (trigger for trigger in triggers(view.objects) if trigger.type == "prometheus")


def _identity(trigger: Trigger, view: View) -> Iterator[Evidence]:
    """The identity of the TriggerAuthentication that a trigger refers to."""
    name = reach(trigger.body, "authenticationRef", "name")
    for item in view.objects.by_name(*TRIGGER_AUTHENTICATION, str(name or "")):
        place = ("spec", "podIdentity", "identityId")
        identity = reach(item.body, *place)
        if identity and item.identity.namespace == trigger.item.identity.namespace:
            reason = f"TriggerAuthentication {item.identity.name} queries Prometheus with this identity"
            yield Evidence(_IDENTITY, identity, reason, view.original(item), place)

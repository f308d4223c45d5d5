"""A monitor for a port that the selected objects do not have."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from gitgpu.access import reach
from gitgpu.diagnostic import Change, Repair, Severity
from gitgpu.model.names.kinds import SERVICE, SERVICE_MONITOR
from gitgpu.objects.gitops.releases import releases
from gitgpu.objects.indexes import freeze, index_by_label
from gitgpu.objects.monitoring.monitors import Endpoint, endpoints, exporter_rows
from gitgpu.objects.objects import Item, Objects
from gitgpu.objects.workload.pods import Pod, labelled_pods
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for endpoint in endpoints(objects):
        port = endpoint.body.get("port")
        # With matchExpressions, the selected objects are unknown.
        names = _names_of_selected(endpoint, objects) if port and endpoint.only_labels else None
        if names is not None and port not in names:
            known_ports = ", ".join(sorted(names)) or "no named port"
            what = "Services" if endpoint.item.identity.kind == SERVICE_MONITOR.kind else "pods"
            message = f"the selected {what} have no port named '{port}'; they have {known_ports}"
            place = (*endpoint.pointer, "port")
            repair = Repair(Change.VALUE, place, next(iter(names))) if len(names) == 1 else None
            yield Finding(
                endpoint.item, place, message, f"use {' or '.join(sorted(names)) or 'a targetPort'}", repair=repair
            )


def _names_of_selected(endpoint: Endpoint, objects: Objects) -> set[str] | None:
    """The same for equal selectors, which many monitors can have."""
    own, spec = endpoint.item.identity, endpoint.item.body["spec"]
    selecting = (own.kind, own.namespace, freeze([spec.get("namespaceSelector"), endpoint.selector]))
    return objects.once(("port names", *selecting), lambda: _port_names(endpoint, objects))


def _port_names(endpoint: Endpoint, objects: Objects) -> set[str] | None:
    """The port names of the selected objects; None if these are not in the input."""
    reads_services = endpoint.item.identity.kind == SERVICE_MONITOR.kind
    ports = _service_ports(endpoint, objects) if reads_services else _pod_ports(endpoint, objects)
    if ports:
        return set().union(*ports)
    for row in exporter_rows(objects):
        selected = endpoint.selector.items() <= row["labels"].items()
        is_installed = any(endpoint.sees(release.namespace) for release in releases(objects, row["chart"]))
        if selected and is_installed:
            return {row["servicePort" if reads_services else "podPort"]}
    return None


def _service_ports(endpoint: Endpoint, objects: Objects) -> list[set[str]]:
    services = objects.once("Services by label", lambda: index_by_label(objects.of(*SERVICE), _labels))
    seen_items = [item for item in services.having(endpoint.selector) if endpoint.sees(item.identity.namespace)]
    selected_items = [item for item in seen_items if endpoint.selector.items() <= _labels(item).items()]
    return [_names(reach(item.body, "spec", "ports")) for item in selected_items]


def _names(ports: Iterable[Any] | None) -> set[str]:
    return {str(port["name"]) for port in ports or () if reach(port, "name")}


def _labels(service: Item) -> Mapping[str, str]:
    return reach(service.body, "metadata", "labels") or {}


def _pod_ports(endpoint: Endpoint, objects: Objects) -> list[set[str]]:
    pods = labelled_pods(objects).having(endpoint.selector)
    seen_pods = [pod for pod in pods if endpoint.sees(pod.item.identity.namespace)]
    selected_pods = [pod for pod in seen_pods if endpoint.selector.items() <= pod.labels.items()]
    return [_names(_ports(pod)) for pod in selected_pods]


def _ports(pod: Pod) -> Iterator[Any]:
    for _, container in pod.containers():
        yield from container.get("ports") or ()


RULE = Rule(
    code="MON005",
    name="monitor-port-does-not-exist",
    severity=Severity.ERROR,
    summary="A ServiceMonitor or PodMonitor uses a port name that the selected Services or pods do not have.",
    help="A monitor finds its target by the name of the port. A monitor without a target is not reported anywhere, "
    "and nothing is scraped. The GPU Operator names the port of its Service gpu-metrics and the port of the pod "
    "metrics.",
    sources=(
        "https://github.com/NVIDIA/gpu-operator/blob/a22dbf671f2e26f9a1e342f8eea28e196235e110/assets/state-dcgm-exporter/0700_service.yaml",
        "https://github.com/NVIDIA/dcgm-exporter/blob/d5e5f510a1b6b393f39a43293ccd9dc985defc79/deployment/templates/service.yaml",
        "https://prometheus-operator.dev/docs/api-reference/api/",
    ),
    facts=("exporters",),
    check=_check,
    fixable=True,
)

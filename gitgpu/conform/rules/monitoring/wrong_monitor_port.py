"""A monitor of a port that what it selects does not have."""

from collections.abc import Iterator

from gitgpu.conform.gitops.releases import releases
from gitgpu.conform.monitoring.monitors import Endpoint, endpoints, exporter_rows
from gitgpu.conform.objects import Objects, reach
from gitgpu.conform.rule import Finding, Rule
from gitgpu.conform.workload.pods import pods
from gitgpu.diagnostic import Change, Repair, Severity


def _check(objects: Objects) -> Iterator[Finding]:
    for one in endpoints(objects):
        port = one.body.get("port")
        names = _names(one, objects) if port and one.only_labels else None
        if names is not None and port not in names:
            there = ", ".join(sorted(names)) or "no port with a name"
            what = "Services" if one.item.identity.kind == "ServiceMonitor" else "pods"
            message = f"the {what} that it selects have no port called '{port}'; they have {there}"
            place = (*one.pointer, "port")
            repair = Repair(Change.VALUE, place, next(iter(names))) if len(names) == 1 else None
            yield Finding(
                one.item, place, message, f"write {' or '.join(sorted(names)) or 'a targetPort'}", repair=repair
            )


def _names(one: Endpoint, objects: Objects) -> set[str] | None:
    """The names of the ports of what it selects; None when that is not here."""
    of_services = one.item.identity.kind == "ServiceMonitor"
    found = _of_services(one, objects) if of_services else _of_pods(one, objects)
    if found:
        return set().union(*found)
    for row in exporter_rows(objects):
        selected = one.selector.items() <= row["labels"].items()
        brought = any(one.sees(release.namespace) for release in releases(objects, row["chart"]))
        if selected and brought:
            return {row["servicePort" if of_services else "podPort"]}
    return None


def _of_services(one: Endpoint, objects: Objects) -> list[set[str]]:
    return [
        {str(port["name"]) for port in reach(item.body, "spec", "ports") or () if reach(port, "name")}
        for item in objects.of("", "Service")
        if one.sees(item.identity.namespace)
        and one.selector.items() <= (reach(item.body, "metadata", "labels") or {}).items()
    ]


def _of_pods(one: Endpoint, objects: Objects) -> list[set[str]]:
    chosen = (
        pod
        for pod in pods(objects)
        if one.sees(pod.item.identity.namespace) and one.selector.items() <= pod.labels.items()
    )
    return [
        {str(port["name"]) for _, each in pod.containers() for port in each.get("ports") or () if reach(port, "name")}
        for pod in chosen
    ]


RULE = Rule(
    code="MON005",
    name="wrong-monitor-port",
    severity=Severity.ERROR,
    summary="A ServiceMonitor or PodMonitor names a port that the Services or pods it selects do not have.",
    help="A monitor finds its target by the port's name, and one that finds none is silent: nothing is scraped. The "
    "GPU Operator calls the port of its Service gpu-metrics and that of the pod metrics.",
    sources=(
        "https://github.com/NVIDIA/gpu-operator/blob/a22dbf671f2e26f9a1e342f8eea28e196235e110/assets/state-dcgm-exporter/0700_service.yaml",
        "https://github.com/NVIDIA/dcgm-exporter/blob/d5e5f510a1b6b393f39a43293ccd9dc985defc79/deployment/templates/service.yaml",
        "https://prometheus-operator.dev/docs/api-reference/api/",
    ),
    check=_check,
    bad="""
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: gpu-operator, namespace: gpu-operator}
spec:
  interval: 1h
  chart: {spec: {chart: gpu-operator, version: v26.7.0, sourceRef: {kind: HelmRepository, name: nvidia}}}
---
apiVersion: azmonitoring.coreos.com/v1
kind: ServiceMonitor
metadata: {name: nvidia-dcgm-exporter, namespace: gpu-operator}
spec:
  selector: {matchLabels: {app: nvidia-dcgm-exporter}}
  endpoints: [{port: metrics, honorLabels: true}]
""",
    good="""
apiVersion: v1
kind: Service
metadata: {name: dcgm-exporter, namespace: gpu-monitoring, labels: {app: dcgm-exporter}}
spec:
  selector: {app: dcgm-exporter}
  ports: [{name: metrics, port: 9400}]
---
apiVersion: azmonitoring.coreos.com/v1
kind: ServiceMonitor
metadata: {name: dcgm-exporter, namespace: gpu-monitoring}
spec:
  selector: {matchLabels: {app: dcgm-exporter}}
  endpoints: [{port: metrics, honorLabels: true}]
""",
)

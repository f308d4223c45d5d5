"""Whether GPU metrics are exported, how often they are measured, and when an exporter's probes start."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.access import list_at, mapping_at, reach
from gitgpu.adopt.stack.evidence import Evidence
from gitgpu.adopt.stack.gpu_daemons import EXPORTER
from gitgpu.adopt.stack.installed import installed_charts
from gitgpu.adopt.stack.owned_software import owned_software
from gitgpu.adopt.stack.view import View
from gitgpu.model.driver_owner import AKS_ONLY
from gitgpu.model.names.kinds import DEVICE_CONFIG
from gitgpu.model.syntax.duration import duration
from gitgpu.model.syntax.whole_number import whole_number
from gitgpu.objects.gitops.chart_values import operators
from gitgpu.objects.software.daemons import daemons
from gitgpu.objects.workload.pods import Pod, pods
from gitgpu.source import Pointer

_INTERVAL = "DCGM_EXPORTER_INTERVAL"  # milliseconds
_PROBES = {"readinessDelaySeconds": "readinessProbe", "livenessDelaySeconds": "livenessProbe"}


def infer(view: View) -> Iterator[Evidence]:
    """The DCGM exporter of a DaemonSet, a chart or the GPU Operator, or the exporter of AMD's operator."""
    path = ("metrics", "exporter")
    if view.has(AKS_ONLY) and not view.has("aks", "operator"):
        return  # another owner measures the GPUs
    if owned := owned_software(view, EXPORTER):
        yield Evidence(path, False, owned.reason, *owned.place)
        return
    exporters = list(daemons(view.objects, EXPORTER))
    for daemon in exporters:
        reason = f"{daemon.title} exports GPU metrics"
        item, place = daemon.place
        yield Evidence(path, True, reason, view.original(item), place)
    for item in view.objects.of(*DEVICE_CONFIG):
        place = ("spec", "metricsExporter", "enable")
        if reach(item.body, *place) is True:
            reason = f"DeviceConfig {item.identity.name} exports metrics of AMD GPUs"
            yield Evidence(path, True, reason, view.original(item), place)
    for chart in installed_charts(view, EXPORTER):
        yield Evidence(path, True, f"{chart.title} exports GPU metrics", chart.observed, chart.pointer)
    if view.has("aks", "operator"):  # on nodes with another driver, gitgpu installs no exporter
        yield Evidence(path, False, "nothing in the input exports GPU metrics", view.bare)
    yield from _intervals(view)
    yield from _probes(view)


def exporter_pods(view: View) -> Iterator[tuple[Pod, Pointer, Mapping[str, Any]]]:
    """The DCGM exporters in DaemonSets, each with its container and the place of the container."""
    for pod in pods(view.objects):
        for place, container in pod.containers():
            if pod.is_daemon and EXPORTER in str(container.get("image")):
                yield pod, place, container


def _intervals(view: View) -> Iterator[Evidence]:
    """How often exporters measure: in DaemonSets first, then in GPU Operators."""
    for pod, place, container in exporter_pods(view):
        interval = _interval(container.get("env"))
        if interval:
            reason = f"DaemonSet {pod.item.identity.name} measures every {interval}"
            yield Evidence(("metrics", "interval"), interval, reason, view.original(pod.item), (*place, "env"))
    for release in operators(view.objects):
        interval = _interval(release.value("dcgmExporter", "env"))
        if interval:
            observed = view.original(release.item)
            reason = f"the exporter of {observed.name} measures every {interval}"
            yield Evidence(("metrics", "interval"), interval, reason, observed, release.place("dcgmExporter", "env"))


def _interval(env: Any) -> str:
    """The interval that the variables of a container set, as the spec writes it; "" if it is not in whole seconds."""
    for entry in map(mapping_at, list_at(env)):
        if entry.get("name") == _INTERVAL:
            milliseconds = whole_number(str(entry.get("value")))
            return duration(milliseconds // 1000) if milliseconds and milliseconds % 1000 == 0 else ""
    return ""


def _probes(view: View) -> Iterator[Evidence]:
    """The delays of the exporters' probes, in seconds."""
    for pod, place, container in exporter_pods(view):
        for key, probe in _PROBES.items():
            delay = reach(container, probe, "initialDelaySeconds")
            if isinstance(delay, int):
                reason = f"the {probe} of DaemonSet {pod.item.identity.name} starts after {delay}s"
                pointer = (*place, probe, "initialDelaySeconds")
                yield Evidence(("metrics", "probes", key), delay, reason, view.original(pod.item), pointer)

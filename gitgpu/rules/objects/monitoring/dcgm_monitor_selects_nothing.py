"""A monitor for the DCGM exporter that does not select an exporter."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import POD_MONITOR, SERVICE, SERVICE_MONITOR
from gitgpu.model.names.labels import APP_INSTANCE_LABEL
from gitgpu.model.syntax.label_text import label_text
from gitgpu.objects.gitops.releases import releases
from gitgpu.objects.monitoring.monitors import EXPORTER, Endpoint, endpoints, exporter_rows
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.pods import pods
from gitgpu.rules.object_rule import Finding, Rule


class _Target(NamedTuple):
    """What a monitor can select: labels and their namespace, "" if unknown."""

    labels: Mapping[str, str]
    namespace: str
    of_chart: bool = False

    def is_selected(self, by: Endpoint) -> bool:
        """Whether a monitor can select it. A chart sets more labels than are known here."""
        selected, here = by.selector.items(), self.labels.items()
        fits = selected & here or APP_INSTANCE_LABEL in by.selector if self.of_chart else selected <= here
        return bool(fits or not by.only_labels) and by.sees(self.namespace)


def _check(objects: Objects) -> Iterator[Finding]:
    monitors = list(endpoints(objects))
    if not monitors:
        return
    candidates = {SERVICE_MONITOR.kind: list(_services(objects)), POD_MONITOR.kind: list(_pods(objects))}
    for monitor in monitors:
        # One monitor that works is enough: others may be for other exporters.
        if any(candidate.is_selected(monitor) for candidate in candidates[monitor.item.identity.kind]):
            return
    for monitor in monitors:
        shown = sorted({_shown(candidate) for candidate in candidates[monitor.item.identity.kind]})
        # Any other monitor may be for other software.
        if shown and ("dcgm" in monitor.item.identity.name or monitor.of_dcgm):
            message = f"the monitor does not select a DCGM exporter; the exporters here have {'; '.join(shown)}"
            remedy = "select these labels, and set namespaceSelector if they are in another namespace"
            yield Finding(monitor.item, ("spec", "selector"), message, remedy)


def _pods(objects: Objects) -> Iterator[_Target]:
    for pod in pods(objects):
        if any(EXPORTER in str(container.get("image")) for _, container in pod.containers()):
            yield _Target(pod.labels, pod.item.identity.namespace)
    for row in exporter_rows(objects):
        for release in releases(objects, row["chart"]):
            if not release.value("nameOverride"):  # it changes the labels
                yield _Target(row["labels"], release.namespace, of_chart=True)


def _services(objects: Objects) -> Iterator[_Target]:
    for target in _pods(objects):
        if target.of_chart:
            yield target
        for item in objects.of(*SERVICE):
            selector = reach(item.body, "spec", "selector") or {}
            if selector and selector.items() <= target.labels.items() and item.identity.namespace == target.namespace:
                yield _Target(reach(item.body, "metadata", "labels") or {}, target.namespace)


def _shown(target: _Target) -> str:
    labels = {key: value for key, value in target.labels.items() if "dcgm" in value} or target.labels
    pairs = ", ".join(label_text(key, value) for key, value in sorted(labels.items())) or "no labels"
    return f"{pairs} in {target.namespace or 'an unknown namespace'}"


RULE = Rule(
    code="MON019",
    name="dcgm-monitor-selects-nothing",
    severity=Severity.WARNING,
    summary="A monitor for the DCGM exporter selects labels or a namespace that the exporter does not have.",
    help="A monitor that selects nothing is not reported anywhere; the metrics are just missing. The exporter of the "
    "GPU Operator has the label app: nvidia-dcgm-exporter, that of the chart dcgm-exporter has app.kubernetes.io/name.",
    sources=(
        "https://github.com/NVIDIA/gpu-operator/blob/a22dbf671f2e26f9a1e342f8eea28e196235e110/assets/state-dcgm-exporter/0700_service.yaml",
        "https://github.com/NVIDIA/dcgm-exporter/blob/d5e5f510a1b6b393f39a43293ccd9dc985defc79/deployment/templates/service.yaml",
    ),
    facts=("exporters",),
    check=_check,
)

"""A monitor for the DCGM exporter that selects none of those that are here."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from gitgpu.conform.gitops.releases import releases
from gitgpu.conform.monitoring.monitors import EXPORTER, Endpoint, endpoints, exporter_rows
from gitgpu.conform.objects import Objects, reach
from gitgpu.conform.rule import Finding, Rule
from gitgpu.conform.workload.pods import pods
from gitgpu.diagnostic import Severity

_RELEASE = "app.kubernetes.io/instance"  # which a chart sets to the name of its release
BAD = """
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: gpu-operator, namespace: gpu-operator}
spec:
  interval: 1h
  chart: {spec: {chart: gpu-operator, version: v26.7.0, sourceRef: {kind: HelmRepository, name: nvidia}}}
---
apiVersion: azmonitoring.coreos.com/v1
kind: ServiceMonitor
metadata: {name: dcgm-exporter, namespace: gpu-operator}
spec:
  selector: {matchLabels: {app.kubernetes.io/name: dcgm-exporter}}
  endpoints: [{port: gpu-metrics, honorLabels: true}]
"""


class _Target(NamedTuple):
    """What a monitor could select: labels, and the namespace that they are in; "" where that is not known."""

    labels: Mapping[str, str]
    namespace: str
    of_chart: bool = False

    def is_selected(self, by: Endpoint) -> bool:
        """May a monitor find it? A chart sets more labels than are known."""
        asked, here = by.selector.items(), self.labels.items()
        fits = asked & here or _RELEASE in by.selector if self.of_chart else asked <= here
        return bool(fits or not by.only_labels) and by.sees(self.namespace)


def _check(objects: Objects) -> Iterator[Finding]:
    found = list(endpoints(objects))
    there = {"ServiceMonitor": list(_services(objects)), "PodMonitor": list(_pods(objects))} if found else {}
    if any(each.is_selected(one) for one in found for each in there[one.item.identity.kind]):
        return
    for one in found:
        told = sorted({_words(each) for each in there[one.item.identity.kind]})
        if told and ("dcgm" in one.item.identity.name or one.of_dcgm):
            message = f"it selects no DCGM exporter that is here: there is {'; '.join(told)}"
            remedy = "select these labels, and their namespace in namespaceSelector where it is another"
            yield Finding(one.item, ("spec", "selector"), message, remedy)


def _pods(objects: Objects) -> Iterator[_Target]:
    for pod in pods(objects):
        if any(EXPORTER in str(each.get("image")) for _, each in pod.containers()):
            yield _Target(pod.labels, pod.item.identity.namespace)
    for row in exporter_rows(objects):
        for each in (one for one in releases(objects, row["chart"]) if not one.value("nameOverride")):
            yield _Target(row["labels"], each.namespace, of_chart=True)


def _services(objects: Objects) -> Iterator[_Target]:
    for one in _pods(objects):
        if one.of_chart:
            yield one
        for item in objects.of("", "Service"):
            asked = reach(item.body, "spec", "selector") or {}
            if asked and asked.items() <= one.labels.items() and item.identity.namespace == one.namespace:
                yield _Target(reach(item.body, "metadata", "labels") or {}, one.namespace)


def _words(one: _Target) -> str:
    labels = {key: value for key, value in one.labels.items() if "dcgm" in value} or one.labels
    told = ", ".join(f"{key}: {value}" for key, value in sorted(labels.items())) or "one without labels"
    return f"{told} in {one.namespace or 'a namespace that is not named'}"


RULE = Rule(
    code="MON019",
    name="exporter-unselected",
    severity=Severity.WARNING,
    summary="A monitor for the DCGM exporter selects other labels or another namespace than the exporter has.",
    help="A monitor that selects nothing is silent, and so is all that asks for the metrics. The exporter of the GPU "
    "Operator has the label app: nvidia-dcgm-exporter, that of the chart dcgm-exporter app.kubernetes.io/name.",
    sources=(
        "https://github.com/NVIDIA/gpu-operator/blob/a22dbf671f2e26f9a1e342f8eea28e196235e110/assets/state-dcgm-exporter/0700_service.yaml",
        "https://github.com/NVIDIA/dcgm-exporter/blob/d5e5f510a1b6b393f39a43293ccd9dc985defc79/deployment/templates/service.yaml",
    ),
    check=_check,
    bad=BAD,
    good=BAD.replace("app.kubernetes.io/name: dcgm-exporter", "app: nvidia-dcgm-exporter"),
)

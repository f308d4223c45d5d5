"""A query by pod for metrics of GPUs that several pods share."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from gitgpu.diagnostic import Severity
from gitgpu.objects.gitops.chart_values import operators
from gitgpu.objects.gitops.releases import releases
from gitgpu.objects.monitoring.monitors import EXPORTER
from gitgpu.objects.monitoring.queries import POD_LABELS, queries
from gitgpu.objects.objects import Objects
from gitgpu.objects.software.sharing import sharing
from gitgpu.objects.workload.pods import pods
from gitgpu.rules.object_rule import Finding, Rule

_VARIABLE, _FLAG = "KUBERNETES_VIRTUAL_GPUS", "kubernetes-virtual-gpus"


class _Exporter(NamedTuple):
    """What is known of an exporter: its settings, and whether these are all of them."""

    settings: Any
    whole: bool = True


def _check(objects: Objects) -> Iterator[Finding]:
    found = [query for query in queries(objects) if any(matcher.label in POD_LABELS for matcher in query.dcgm_matchers)]
    if not found or not sharing(objects):
        return
    exporters = list(_exporters(objects))
    if not exporters or any(_knows_shares(exporter) or not exporter.whole for exporter in exporters):
        return
    for query in found:
        message = "several pods share a GPU, and the exporter reports only one of them: the query misses the others"
        remedy = f'set {_VARIABLE}="true" in the environment of the exporter, or query the pods\' own metrics'
        yield Finding(query.item, query.pointer, message, remedy)


def _exporters(objects: Objects) -> Iterator[_Exporter]:
    for release in operators(objects):
        if release.value("dcgmExporter", "enabled") is not False:
            yield _Exporter(release.value("dcgmExporter"), release.whole)
    for release in releases(objects, EXPORTER):
        yield _Exporter(release.values, release.whole)
    for pod in pods(objects):
        for _, container in pod.containers():
            if EXPORTER in str(container.get("image")):
                yield _Exporter(container, not container.get("envFrom"))


def _knows_shares(exporter: _Exporter) -> bool:
    """Whether the exporter may report a share for each pod: its settings name the variable or the flag."""
    text = str(exporter.settings)
    return _VARIABLE in text or _FLAG in text


RULE = Rule(
    code="MON099",
    name="pod-label-on-shared-gpu",
    severity=Severity.WARNING,
    summary="A query selects DCGM metrics by pod, GPUs are shared, and the exporter reports one pod for each GPU.",
    help="With time-slicing or MPS, several pods use a GPU. By default the DCGM exporter writes only one of them on "
    "its metrics. With KUBERNETES_VIRTUAL_GPUS, it writes them once for each pod with a share of the GPU; the value is "
    "that of the whole GPU. As of 4.5.3, utilisation and used memory are those of the pod's processes, which the "
    "exporter finds only with hostPID and access to the API; without, they are 0.",
    sources=(
        "https://github.com/NVIDIA/dcgm-exporter/blob/d5e5f510a1b6b393f39a43293ccd9dc985defc79/internal/pkg/transformation/kubernetes.go",
        "https://github.com/NVIDIA/dcgm-exporter/issues/342",
        "https://github.com/NVIDIA/dcgm-exporter/pull/432",
    ),
    check=_check,
)

"""Profiling metrics from an exporter without the required capability."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.metrics.profiling import PROFILING
from gitgpu.objects.monitoring.counter_lists import counter_lists
from gitgpu.objects.monitoring.monitors import exporters_alone
from gitgpu.objects.monitoring.queries import queries
from gitgpu.objects.objects import Item, Objects
from gitgpu.objects.workload.pods import Pod
from gitgpu.rules.object_rule import Finding, Rule

_SUFFICIENT = {"SYS_ADMIN", "CAP_SYS_ADMIN", "ALL"}
_ELSEWHERE = ("DCGM_REMOTE_HOSTENGINE_INFO", "--remote-hostengine-info", "'-r'")  # with these, another pod reads them
_MESSAGE = "no DCGM exporter here has the capability SYS_ADMIN, which {} needs"
_REMEDY = "set securityContext: {capabilities: {add: [SYS_ADMIN]}} in the container of the exporter"


def _check(objects: Objects) -> Iterator[Finding]:
    exporters = list(exporters_alone(objects))
    # One exporter with the capability can be the one that the query reads.
    if not exporters or not all(_lacks_capability(exporter.container) for exporter in exporters):
        return
    for query in queries(objects):
        metric = next((selector.metric for selector in query.of_dcgm if selector.metric.startswith(PROFILING)), "")
        if metric:
            yield Finding(query.item, query.pointer, _MESSAGE.format(metric), _REMEDY)
    for counters in counter_lists(objects):
        metric = min((name for name in counters.exported_metrics if name.startswith(PROFILING)), default="")
        if metric and any(_mounts(exporter.pod, counters.item) for exporter in exporters):
            yield Finding(counters.item, counters.pointer, _MESSAGE.format(metric), _REMEDY)


def _mounts(pod: Pod, config_map: Item) -> bool:
    """Whether the pods have a volume with the ConfigMap."""
    names = (reach(volume, "configMap", "name") for volume in pod.spec.get("volumes") or ())
    return config_map.identity.name in names and pod.item.identity.namespace == config_map.identity.namespace


def _lacks_capability(container: Mapping[str, Any]) -> bool:
    security = reach(container, "securityContext") or {}
    added = set(reach(security, "capabilities", "add") or ())
    if security.get("privileged") is True or added & _SUFFICIENT:
        return False
    return not any(word in str(container) for word in _ELSEWHERE)


RULE = Rule(
    code="MON090",
    name="profiling-without-sys-admin",
    severity=Severity.WARNING,
    summary="A query or a list of counters has a DCGM_FI_PROF_ metric, and no DCGM exporter has the capability for it.",
    help="The profiling module needs SYS_ADMIN. Without it the exporter skips the fields, and the query returns no "
    "data.",
    sources=(
        "https://github.com/NVIDIA/dcgm-exporter/blob/d5e5f510a1b6b393f39a43293ccd9dc985defc79/dcgm-exporter.yaml",
        "https://github.com/NVIDIA/dcgm-exporter/blob/d5e5f510a1b6b393f39a43293ccd9dc985defc79/docker/Dockerfile",
    ),
    check=_check,
)

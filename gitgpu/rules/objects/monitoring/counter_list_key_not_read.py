"""A ConfigMap with a counter list under a key that the exporter does not read."""

from collections.abc import Iterator

from gitgpu.access import list_at, mapping_at, reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import CONFIG_MAP
from gitgpu.objects.gitops.chart_values import operators
from gitgpu.objects.objects import Item, Objects
from gitgpu.objects.software.daemons import daemons
from gitgpu.objects.workload.pods import words_of
from gitgpu.rules.object_rule import Finding, Rule

# The keys that are read: by the GPU Operator, which mounts the ConfigMap, and by the exporter itself.
_OF_OPERATOR, _OF_EXPORTER = "dcgm-metrics.csv", "metrics"
_FLAGS, _VARIABLE = ("-m", "--configmap-data"), "DCGM_EXPORTER_CONFIGMAP_DATA"


def _check(objects: Objects) -> Iterator[Finding]:
    for release in operators(objects):
        name = str(release.value("dcgmExporter", "config", "name") or "")
        if not release.value("dcgmExporter", "config", "create"):  # the chart creates it with the right key
            yield from _faults(name, release.namespace, _OF_OPERATOR, objects)
    for daemon in daemons(objects, "dcgm-exporter"):
        container = reach(daemon.item.body, *daemon.place[1][:-1]) if daemon.pod and daemon.pod.is_daemon else None
        namespace, _, name = _config_map_of(mapping_at(container)).partition(":")
        yield from _faults(name, namespace, _OF_EXPORTER, objects) if container else ()


def _faults(name: str, namespace: str, key: str, objects: Objects) -> Iterator[Finding]:
    if not name:
        return
    for item in objects.of(*CONFIG_MAP):
        data = mapping_at(item.body, "data")
        if item.identity.name == name and namespace in ("", item.identity.namespace) and _lacks_key(item, key, objects):
            message = f"the exporter reads the key {key}, but the ConfigMap has only {', '.join(data)}"
            yield Finding(item, ("data",), message, f"rename the key to {key}")


def _lacks_key(item: Item, key: str, objects: Objects) -> bool:
    data = mapping_at(item.body, "data")
    return bool(data) and key not in data and item.identity.name not in objects.patched_names(*CONFIG_MAP)


def _config_map_of(container: object) -> str:
    """namespace:name of the ConfigMap in the arguments of a container; "" if there is none."""
    body = mapping_at(container)
    for variable in list_at(body, "env"):
        if reach(variable, "name") == _VARIABLE:
            return str(reach(variable, "value") or "")
    words = words_of(body)
    for index, word in enumerate(words):
        flag, equals, value = word.partition("=")
        if flag in _FLAGS:
            return value if equals else next(iter(words[index + 1 :]), "")
    return ""


RULE = Rule(
    code="MON023",
    name="counter-list-key-not-read",
    severity=Severity.WARNING,
    summary="A ConfigMap has the counter list of a DCGM exporter under a key that the exporter does not read.",
    help="The GPU Operator mounts the key dcgm-metrics.csv, and without it the exporter pods do not start. The "
    "exporter itself, with -m or DCGM_EXPORTER_CONFIGMAP_DATA, reads the key metrics, and without it uses its "
    "default list.",
    sources=(
        "https://github.com/NVIDIA/gpu-operator/issues/648",
        "https://github.com/NVIDIA/dcgm-exporter/issues/51",
        "https://github.com/NVIDIA/gpu-operator/blob/a22dbf671f2e26f9a1e342f8eea28e196235e110/controllers/object_controls.go",
        "https://github.com/NVIDIA/dcgm-exporter/blob/d5e5f510a1b6b393f39a43293ccd9dc985defc79/internal/pkg/counters/counter_config.go",
    ),
    check=_check,
)

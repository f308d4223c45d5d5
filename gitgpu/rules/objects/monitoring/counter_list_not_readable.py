"""A DCGM exporter that reads its counter list from a ConfigMap, and cannot."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from gitgpu.access import list_at, mapping_at, reach
from gitgpu.diagnostic import Severity
from gitgpu.model.syntax.image import short_name
from gitgpu.model.syntax.version import NUMBERS, version
from gitgpu.objects.gitops.releases import Release, releases
from gitgpu.objects.monitoring.monitors import EXPORTER
from gitgpu.objects.objects import Item, Objects
from gitgpu.objects.workload.named_objects import missing
from gitgpu.objects.workload.pods import pods, words_of
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer

_FLAGS, _VARIABLE = ("-m", "--configmap-data"), "DCGM_EXPORTER_CONFIGMAP_DATA"
_OF_CHART = "exporter-metrics-config-map"  # the ConfigMap that the chart creates
_NONE = ("", "none")  # no ConfigMap


class _Source(NamedTuple):
    """Where the arguments of an exporter say that its list is: namespace and name, and the place of that."""

    namespace: str
    name: str
    place: tuple[Item, Pointer]
    has_token: bool
    remedy: str


def _check(objects: Objects) -> Iterator[Finding]:
    for source in (*_chart_sources(objects), *_set_sources(objects)):
        if not source.has_token:
            message = "the exporter gets no token for the API, from which it reads this ConfigMap, so it exits"
            yield Finding(*source.place, message, source.remedy)
        elif source.name != _OF_CHART and (fault := missing("ConfigMap", source.name, source.namespace, objects)):
            yield Finding(*source.place, fault.message, fault.remedy)


def _chart_sources(objects: Objects) -> Iterator[_Source]:
    since = objects.catalog.must("features", "exporter-without-token")["since"]
    for release in releases(objects, EXPORTER):
        words = [str(word) for word in list_at(release.value("arguments"))]
        for key, index, written in (
            *_values_in_words(words, "arguments"),
            *_values_in_variables(release.value("extraEnv"), "extraEnv"),
        ):
            namespace, _, name = written.partition(":")
            remedy = "set kubernetes: {enablePodLabels: true}, or write the list to customMetrics without this argument"
            yield _Source(namespace, name, release.locate(key, index), _has_token(release, since), remedy)


def _has_token(release: Release, since: str) -> bool:
    """Whether the chart mounts a token, or may do so."""
    if not release.whole or (NUMBERS.match(release.version) and version(release.version) < version(since)):
        return True
    settings = mapping_at(release.value("kubernetes"))
    asked = settings.get("enablePodLabels") is True or settings.get("enablePodUID") is True
    has_role = reach(settings, "rbac", "create") is not False
    return (asked and has_role) or release.value("kubernetesDRA", "enabled") is True


def _set_sources(objects: Objects) -> Iterator[_Source]:
    for pod in pods(objects):
        has_token = pod.spec.get("automountServiceAccountToken") is not False
        has_token = has_token or "serviceAccountToken" in str(pod.spec.get("volumes"))
        for place, container in pod.containers():
            if short_name(str(container.get("image") or "")) != EXPORTER:
                continue
            found = (*_values_in_words(words_of(container), "args"), *_values_in_variables(container.get("env"), "env"))
            for key, index, written in found:
                namespace, _, name = written.partition(":")
                at = (*place, key, index) if key == "env" else (*place, key)
                yield _Source(namespace, name, (pod.item, at), has_token, "remove automountServiceAccountToken: false")


def _values_in_words(words: Sequence[str], key: str) -> Iterator[tuple[str, int, str]]:
    for index, word in enumerate(words):
        flag, equals, value = word.partition("=")
        if flag in _FLAGS:
            written = value if equals else next(iter(words[index + 1 :]), "")
            if written not in _NONE:
                yield key, index, written


def _values_in_variables(variables: Any, key: str) -> Iterator[tuple[str, int, str]]:
    for index, variable in enumerate(list_at(variables)):
        entry: Mapping[str, Any] = mapping_at(variable)
        if entry.get("name") == _VARIABLE and str(entry.get("value") or "") not in _NONE:
            yield key, index, str(entry.get("value"))


RULE = Rule(
    code="MON098",
    name="counter-list-not-readable",
    severity=Severity.ERROR,
    summary="A DCGM exporter is set to read its counter list from a ConfigMap that does not exist, or without "
    "access to it.",
    help="With -m or --configmap-data, the exporter asks the Kubernetes API for the ConfigMap and exits if it "
    "gets none. As of 4.7.0 the chart mounts a token only for labels of pods and for claims.",
    sources=(
        "https://github.com/NVIDIA/dcgm-exporter/blob/d5e5f510a1b6b393f39a43293ccd9dc985defc79/internal/pkg/counters/counter_config.go",
        "https://github.com/NVIDIA/dcgm-exporter/blob/d5e5f510a1b6b393f39a43293ccd9dc985defc79/deployment/templates/daemonset.yaml",
    ),
    facts=("features/exporter-without-token",),
    check=_check,
)

"""A DCGM exporter whose list of counters is written where the name of a file is expected."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.access import list_at, reach
from gitgpu.diagnostic import Severity
from gitgpu.objects.gitops.releases import releases
from gitgpu.objects.monitoring.monitors import EXPORTER
from gitgpu.objects.monitoring.queries import DCGM
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.pods import pods
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer

_FLAGS, _VARIABLE = ("-f", "--collectors", "-collectors"), "DCGM_EXPORTER_COLLECTORS"


def _check(objects: Objects) -> Iterator[Finding]:
    message = "the exporter does not start: it reads '{}' as the name of a file with the counters"
    remedy = "write the counters into a file of a ConfigMap, mount it, and use its path"
    for pod in pods(objects):
        for place, container in pod.containers():
            if EXPORTER in str(container.get("image")):
                for at, value in _written(container):
                    yield Finding(pod.item, (*place, *at), message.format(value), remedy)
    for release in releases(objects, EXPORTER):
        for at, value in _options("arguments", list_at(release.value("arguments"))):
            yield Finding(release.item, release.place(*at), message.format(value), remedy)


def _written(container: Mapping[str, Any]) -> Iterator[tuple[Pointer, str]]:
    """Every list of counters in the arguments and the variable, with its place in the container."""
    for key in ("command", "args"):
        yield from _options(key, list_at(container, key))
    for index, variable in enumerate(list_at(container, "env")):
        value = str(reach(variable, "value") or "")
        if reach(variable, "name") == _VARIABLE and _is_list(value):
            yield ("env", index, "value"), value


def _options(key: str, words: list[Any]) -> Iterator[tuple[Pointer, str]]:
    previous = ""
    for index, word in enumerate(map(str, words)):
        flag, equals, value = word.partition("=")
        value = value if equals and flag in _FLAGS else word if previous in _FLAGS else ""
        if _is_list(value):
            yield (key, index), value
        previous = word


def _is_list(value: str) -> bool:
    """Whether it consists of names of counters instead of a path."""
    return value.strip().startswith(DCGM) and not value.strip().endswith(".csv") and "/" not in value


RULE = Rule(
    code="MON094",
    name="collectors-without-file",
    severity=Severity.ERROR,
    summary="A DCGM exporter has names of counters in --collectors or DCGM_EXPORTER_COLLECTORS, which name a file.",
    help="The exporter opens the value as a CSV file with one counter in each line. A file with the names as its own "
    "name does not exist, so it stops.",
    sources=(
        "https://github.com/NVIDIA/dcgm-exporter/blob/5a052c34cc75a37a775f485e95654fcd4d2c97c5/pkg/cmd/app.go",
        "https://github.com/NVIDIA/dcgm-exporter/blob/d5e5f510a1b6b393f39a43293ccd9dc985defc79/README.md",
    ),
    check=_check,
)

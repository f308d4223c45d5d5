"""Monitors with their endpoints, and the exporters of GPU metrics that they scrape."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from gitgpu.access import mapping_at, reach
from gitgpu.model.names.groups import AZURE_MONITORING_GROUP, MONITORING_GROUP
from gitgpu.model.names.kinds import POD_MONITOR, SERVICE_MONITOR
from gitgpu.model.syntax.version import NUMBERS, version
from gitgpu.objects.gitops.chart_values import operators
from gitgpu.objects.gitops.releases import Release, releases
from gitgpu.objects.node.gpu_pools import gpu_pools
from gitgpu.objects.objects import Item, Objects
from gitgpu.objects.workload.pods import Pod, pods
from gitgpu.source import Pointer

# Azure managed Prometheus has copies of the two kinds in its own group.
EXPORTER = "dcgm-exporter"  # the chart, and a part of the image's name and of its labels
_ENDPOINTS = {SERVICE_MONITOR.kind: "endpoints", POD_MONITOR.kind: "podMetricsEndpoints"}


class Endpoint(NamedTuple):
    """One endpoint of a monitor: its object, its place and its content."""

    item: Item
    pointer: Pointer
    body: Mapping[str, Any]

    @property
    def selector(self) -> Mapping[str, str]:
        """The labels that Services or pods must have."""
        return reach(self.item.body, "spec", "selector", "matchLabels") or {}

    @property
    def only_labels(self) -> bool:
        """Whether it selects by labels only."""
        return bool(self.selector) and not reach(self.item.body, "spec", "selector", "matchExpressions")

    @property
    def of_dcgm(self) -> bool:
        """Whether it scrapes a DCGM exporter, according to its selector."""
        return any(EXPORTER in value for value in self.selector.values())

    @property
    def honors(self) -> bool:
        """Whether labels that the exporter sets are kept."""
        return self.body.get("honorLabels") is True

    def sees(self, namespace: str) -> bool:
        """Whether it selects objects in the namespace. An unknown namespace counts as selected."""
        chosen = reach(self.item.body, "spec", "namespaceSelector") or {}
        names = chosen.get("matchNames") or [self.item.identity.namespace]
        return chosen.get("any") is True or not namespace or "" in names or namespace in names


def endpoints(objects: Objects) -> Iterator[Endpoint]:
    """Every endpoint of every complete monitor, of both API groups."""
    for group in (MONITORING_GROUP, AZURE_MONITORING_GROUP):
        for kind, key in _ENDPOINTS.items():
            for item in objects.of(group, kind):
                for index, entry in enumerate(reach(item.body, "spec", key) or ()):
                    yield Endpoint(item, ("spec", key, index), entry)


class Exporter(NamedTuple):
    """A DCGM exporter in a workload: its pods, and its container in them."""

    pod: Pod
    container: Mapping[str, Any]


def exporters_alone(objects: Objects) -> Iterator[Exporter]:
    """The DCGM exporters in workloads; none if a chart, AKS or another owner also installs one."""
    has_chart = any(True for _ in (*releases(objects, EXPORTER), *operators(objects)))
    if has_chart or any(pool.managed or pool.is_of_other_owner for pool in gpu_pools(objects)):
        return
    for pod in pods(objects):
        for _, container in pod.containers():
            if EXPORTER in str(container.get("image")):
                yield Exporter(pod, container)


def exporter_rows(objects: Objects) -> Iterator[Mapping[str, Any]]:
    """The catalog's rows on exporters that charts install."""
    return (row for row in objects.catalog.rows("exporters").values() if row["chart"])


class ChartMonitor(NamedTuple):
    """A ServiceMonitor that a chart creates: its release, the catalog's row on the exporter, and its settings."""

    release: Release
    row: Mapping[str, Any]
    settings: Mapping[str, Any]

    @property
    def pointer(self) -> Pointer:
        """The place of its settings in the object of the release."""
        return self.release.place(*self.row["monitor"])

    @property
    def certain(self) -> bool:
        """Whether the release creates it: an unknown version may be one that does not by default."""
        known = not self.row.get("monitorSince") or NUMBERS.fullmatch(self.release.version) is not None
        return self.settings.get("enabled", known) is True


def exporter_monitors(objects: Objects) -> Iterator[ChartMonitor]:
    """The monitors that charts of exporters create, or may create: each that is not disabled."""
    for row in exporter_rows(objects):
        path: list[str] = row["monitor"]
        for release in releases(objects, row["chart"]):
            settings = mapping_at(release.value(*path))
            off = release.value(*path[:-1], "enabled") is False if len(path) > 1 else False
            default = not _is_before(release.version, row.get("monitorSince", ""))
            if release.whole and not off and settings.get("enabled", default) is not False:
                yield ChartMonitor(release, row, settings)


def chart_monitors(objects: Objects) -> Iterator[tuple[Item, Pointer, Mapping[str, Any]]]:
    """The same: object, place and settings of each."""
    return ((monitor.release.item, monitor.pointer, monitor.settings) for monitor in exporter_monitors(objects))


def _is_before(installed: str, first: str) -> bool:
    """Whether a version is known to be older than the first one."""
    if not first or not NUMBERS.fullmatch(installed):
        return False
    return version(installed) < version(first)[: len(version(installed))]  # 26.7 means any patch of it

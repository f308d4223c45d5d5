"""Which versions of charts and images run, and the pins that keep them: without a pin, a build installs the newest."""

import re
from collections.abc import Iterator, Mapping
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

from gitgpu.access import list_at, mapping_at, reach
from gitgpu.adopt.adoption import Destination, Fate, Outcome
from gitgpu.adopt.stack.chart_versions import EXACT, lacking, of_chart, written_version
from gitgpu.adopt.stack.evidence import Evidence, ObservedPlace
from gitgpu.adopt.stack.installed import installed_charts
from gitgpu.adopt.stack.software import is_made
from gitgpu.adopt.stack.view import View
from gitgpu.inventory.observed import Observed
from gitgpu.model.names.kinds import DEVICE_CONFIG, HELM_RELEASE, HELM_VALUES, NIC_CLUSTER_POLICY
from gitgpu.model.software.digests import version_of_digest
from gitgpu.model.syntax.image import short_name
from gitgpu.model.syntax.version import NUMBERS, version
from gitgpu.source import Pointer

PATH = "versions"
_FLAVOUR = re.compile(r"-(ubuntu[\d.]+|ubi\d+|distroless)$")  # the base of an image, which NVIDIA adds to its tags
_REBUILD = re.compile(r"-\d+$")  # Microsoft's registry numbers the rebuilds of a version
_MICROSOFT, _AMD = "mcr.microsoft.com/", "rocm"  # AMD's device plugin has the name of NVIDIA's: rocm/k8s-device-plugin
_CONTAINERS: Pointer = ("spec", "template", "spec", "containers")
_IMAGES = {
    "k8s-device-plugin": "nvidia-device-plugin",
    "dcgm-exporter": "dcgm-exporter",
    "node-problem-detector": "node-problem-detector",
}  # of DaemonSets, by the last part of the repository
_PARTS = {
    "ofedDriver": "doca-driver",
    "rdmaSharedDevicePlugin": "rdma-shared-device-plugin",
    "sriovDevicePlugin": "sriov-device-plugin",
}  # of a NicClusterPolicy


class _Running(NamedTuple):
    """A chart or image that runs: `text` is its version as written, `pin` its version in the catalog, or ""."""

    software: str
    text: str
    pin: str
    title: str
    observed: Observed
    pointer: Pointer
    is_image: bool = False


def pinned_versions(view: View) -> Iterator[Evidence]:
    """Pins for software that does not run in its newest version, sorted by name; the newest of several is first."""
    for software, group in groupby(_every(view), attrgetter("software")):
        pinnable = [running for running in group if running.pin]
        order = list(view.catalog.versions(software))
        newest = order[-1]
        if all(running.pin == newest for running in pinnable):
            continue
        for running in sorted(pinnable, key=lambda running: -order.index(running.pin)):
            what = f"runs {software}" if running.is_image else "has version"
            which = ", the newest version" if running.pin == newest else f"; the newest version is {newest}"
            reason = f"{running.title} {what} {running.pin}{which}"
            yield Evidence((PATH, software), running.pin, reason, running.observed, running.pointer)


def unknown_versions(view: View) -> Iterator[Outcome]:
    """Outcomes of versions that are not in the catalog: what the first build does with them."""
    for software, group in groupby(_every(view), attrgetter("software")):
        all_running = list(group)
        is_pinned = any(running.pin for running in all_running)
        for running in all_running:
            if running.pin or (is_pinned and _is_range(running)):
                continue
            into = Destination("Cluster", view.cluster.name, ("spec", "stack", PATH, software))
            yield Outcome(running.observed, Fate.INFERRED, _first_build(running, view), running.pointer, into)


def _first_build(running: _Running, view: View) -> str:
    """What the first build does with a version that is not in the catalog."""
    software, text = running.software, running.text
    newest = list(view.catalog.versions(software))[-1]
    if _is_range(running):
        return f"'{text}' is not an exact version: the first build installs {software} {newest}"
    does = "replaces it with"
    if (running_numbers := NUMBERS.match(text)) and (newest_numbers := NUMBERS.match(newest)):
        is_upgrade = version(running_numbers[1]) < version(newest_numbers[1])
        does = "upgrades it to" if is_upgrade else "downgrades it to"
    addition = f"add releases/{software}-{text}.yaml to your own catalog"
    return f"the catalog has no {software} {text}: the first build {does} {newest}; to keep it, {addition}"


def _is_range(running: _Running) -> bool:
    """Whether the version of a chart is a range, so that only other objects show which version runs."""
    return not (running.is_image or EXACT.fullmatch(running.text))


def _every(view: View) -> list[_Running]:
    """The running charts and images that can be pinned, sorted by name, then in the order in which they were read."""
    pinnable = [running for running in (*_charts(view), *_daemons(view), *_customs(view)) if running.text]
    return sorted(pinnable, key=attrgetter("software"))


def _charts(view: View) -> Iterator[_Running]:
    for chart in installed_charts(view, *view.catalog.names("charts")):
        if lacking(chart, view):
            continue  # it stays with its owner
        text = written_version(chart)
        place = _place(chart.observed, chart.pointer)
        # If the catalog has a single version, there is nothing to pin.
        if len(versions := view.catalog.versions(chart.chart)) > 1:
            yield _Running(chart.chart, text, of_chart(text, versions), chart.title, chart.observed, place)


def _place(observed: Observed, chart: Pointer) -> Pointer:
    """The place of the version of a chart, next to the place of its name."""
    kind = observed.body.get("kind")
    if kind == HELM_RELEASE.kind:
        return ("spec", "chart", "spec", "version") if chart == ("spec", "chart") else chart
    if kind == HELM_VALUES.kind:
        return ("version",)
    return (*chart[:-1], "targetRevision") if chart[-1] == "chart" else chart


def _daemons(view: View) -> Iterator[_Running]:
    """The images of GPU software in DaemonSets that no chart or operator has created."""
    for observed in view.cluster.objects:
        if observed.body.get("kind") != "DaemonSet" or is_made(observed):
            continue
        for number, container in enumerate(list_at(observed.body, *map(str, _CONTAINERS))):
            image = str(reach(container, "image"))
            software = _IMAGES.get(short_name(image), "")
            if software and _AMD not in image:
                yield _image(software, image, ObservedPlace(observed, (*_CONTAINERS, number, "image")), view)


def _customs(view: View) -> Iterator[_Running]:
    """The images that custom resources of AMD's and NVIDIA's operators name."""
    for observed in view.cluster.objects:
        spec = mapping_at(observed.body, "spec")
        if observed.body.get("kind") == DEVICE_CONFIG.kind:
            image = str(reach(spec, "metricsExporter", "image") or "")
            place = ObservedPlace(observed, ("spec", "metricsExporter", "image"))
            yield _image("amd-metrics-exporter", image, place, view)
        if observed.body.get("kind") == NIC_CLUSTER_POLICY.kind:
            for key, software in _PARTS.items():
                text = str(reach(spec, key, "version") or "")
                image = f"@{text}" if text.startswith("sha256:") else f":{text}"
                yield _image(software, image, ObservedPlace(observed, ("spec", key, "version")), view)


def _image(software: str, image: str, place: ObservedPlace, view: View) -> _Running:
    named, _, digest = image.rpartition("/")[2].partition("@")
    tag = named.partition(":")[2]
    # A digest is exact, while a tag can move.
    pin = version_of_digest(software, digest, view.catalog) if digest else ""
    pin = pin or _of_tag(image, tag, view.catalog.versions(software))
    return _Running(software, tag or pin, pin, place.observed.name, *place, is_image=True)


def _of_tag(image: str, tag: str, versions: Mapping[str, Any]) -> str:
    """The version of an image: its tag, or one that differs only in the base image or Microsoft's rebuild number."""
    if tag in versions:
        return tag
    built = _REBUILD.sub("", tag) if image.startswith(_MICROSOFT) else tag
    return next((name for name in versions if _FLAVOUR.sub("", name) == _FLAVOUR.sub("", built)), "")

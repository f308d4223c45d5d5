"""Which versions of charts and images run, and the pins that keep them: without a pin, a build installs the newest."""

from collections.abc import Iterator
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from gitgpu.access import list_at, reach
from gitgpu.adopt.adoption import Destination, Fate, Outcome
from gitgpu.adopt.stack.chart_versions import EXACT, known_version_of_chart, why_chart_stays, written_version
from gitgpu.adopt.stack.evidence import Evidence, ObservedPlace
from gitgpu.adopt.stack.gpu_daemons import is_made, part_of
from gitgpu.adopt.stack.image_versions import known_version, tag_of
from gitgpu.adopt.stack.installed import installed_charts
from gitgpu.adopt.stack.operated_images import operated_images, why_operated_stays
from gitgpu.adopt.stack.owned_software import REPLACED, owned_software
from gitgpu.adopt.stack.view import View
from gitgpu.inventory.observed import Observed
from gitgpu.model.names.kinds import HELM_RELEASE, HELM_VALUES
from gitgpu.model.syntax.image import short_name
from gitgpu.model.syntax.version import NUMBERS, version
from gitgpu.source import Pointer

PATH = "versions"
_AMD = "rocm"  # AMD's device plugin has the name of NVIDIA's: rocm/k8s-device-plugin
_CONTAINERS: Pointer = ("spec", "template", "spec", "containers")
_IMAGES = {
    "k8s-device-plugin": "nvidia-device-plugin",
    "dcgm-exporter": "dcgm-exporter",
    "node-problem-detector": "node-problem-detector",
}  # of DaemonSets, by the last part of the repository


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
        newest = view.catalog.version(software)  # the one that a build installs: rows of the user can be newer
        if all(running.pin == newest for running in pinnable):
            continue
        for running in sorted(pinnable, key=lambda running: -order.index(running.pin)):
            what = f"runs {software}" if running.is_image else "has version"
            which = ", the newest version" if running.pin == newest else f"; the newest version is {newest}"
            if order.index(running.pin) > order.index(newest):
                which = f"; without a pin, gitgpu installs {newest}"
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
        part = REPLACED.get(chart.chart)
        if why_chart_stays(chart, view) or (part and owned_software(view, part)):
            continue  # it stays with its owner
        text = written_version(chart)
        place = _place(chart.observed, chart.pointer)
        # If the catalog has a single version, there is nothing to pin.
        if len(versions := view.catalog.versions(chart.chart)) > 1:
            pin = known_version_of_chart(text, versions)
            yield _Running(chart.chart, text, pin, chart.title, chart.observed, place)


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
        part = part_of(observed.body)
        if not part or is_made(observed) or owned_software(view, part):
            continue
        for number, container in enumerate(list_at(observed.body, *map(str, _CONTAINERS))):
            image = str(reach(container, "image"))
            software = _IMAGES.get(short_name(image), "")
            if software and _AMD not in image:
                yield _image(software, image, ObservedPlace(observed, (*_CONTAINERS, number, "image")), view)


def _customs(view: View) -> Iterator[_Running]:
    """The images that custom resources of AMD's and NVIDIA's operators name."""
    for software, image, place in operated_images(view):
        if image and not why_operated_stays(view, str(place.observed.body["kind"])):
            yield _image(software, image, place, view)


def _image(software: str, image: str, place: ObservedPlace, view: View) -> _Running:
    pin = known_version(software, image, view.catalog)
    return _Running(software, tag_of(image) or pin, pin, place.observed.name, *place, is_image=True)

"""GPU software that stays with its owner, because gitgpu's own DaemonSet in its place would not do the same.

It has a version or an image that the catalog lacks, options that gitgpu's DaemonSet has no key for, is scraped in a way
that would not find gitgpu's, or also serves nodes where gitgpu's would not run.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from gitgpu.access import list_at, mapping_at
from gitgpu.adopt.stack.chart_versions import EXACT, known_version_of_chart, why_left, why_secret_stays, written_version
from gitgpu.adopt.stack.evidence import ObservedPlace
from gitgpu.adopt.stack.gpu_daemons import (
    DETECTOR,
    DISCOVERY,
    EXPORTER,
    MPS,
    PLUGIN,
    SOFTWARE,
    is_add_on,
    is_operated,
    is_ours,
    part_in,
    part_of,
)
from gitgpu.adopt.stack.image_versions import known_version, tag_of, why_copy_stays
from gitgpu.adopt.stack.installed import InstalledChart, installed_charts
from gitgpu.adopt.stack.needed_software import why_needed
from gitgpu.adopt.stack.own_detection import why_detector_stays
from gitgpu.adopt.stack.own_scraping import kept_monitor, why_exporter_stays
from gitgpu.adopt.stack.unknown_plugins import unknown_plugins
from gitgpu.adopt.stack.unsaid_options import options_of_container, options_of_values
from gitgpu.adopt.stack.values_elsewhere import why_values_stay
from gitgpu.adopt.stack.view import View
from gitgpu.inventory.observed import Observed
from gitgpu.model.catalog import Facts
from gitgpu.model.syntax.image import short_name
from gitgpu.source import Pointer

_CONTAINERS: Pointer = ("spec", "template", "spec", "containers")
# What a DaemonSet of gitgpu does in place of a chart.
REPLACED: Mapping[str, str] = {"nvidia-device-plugin": PLUGIN, "dcgm-exporter": EXPORTER}
_SHARED = (PLUGIN, MPS, EXPORTER, DISCOVERY)  # what gitgpu runs on nodes of the fleet whose driver AKS installs


class Owned(NamedTuple):
    """A DaemonSet or a release that stays with its owner: the part that it runs, its place, and why, as a clause."""

    part: str
    place: ObservedPlace
    reason: str


def owned_software(view: View, *parts: str) -> Owned | None:
    """The first that runs one of these parts. If one of a part stays, all of that part do."""
    return next((owned for owned in (*_all(view), *_shared(view)) if owned.part in parts), None)


def _shared(view: View) -> tuple[Owned, ...]:
    """What nodes need where gitgpu's would not run; which these are depends on the drivers of the pools."""
    return view.objects.once(("shared GPU software", *sorted(view.drivers.items())), lambda: tuple(_needed(view)))


def _needed(view: View) -> Iterator[Owned]:
    replaced_parts = (*(_SHARED if view.has("aks") else ()), DETECTOR)
    for observed in view.cluster.objects:
        part = part_of(observed.body)
        is_replaced = part in replaced_parts and not (is_operated(observed) or is_ours(observed) or is_add_on(observed))
        if is_replaced and (reason := why_needed(observed, part, view)):
            yield Owned(part, ObservedPlace(observed, ()), reason)
    for chart in installed_charts(view, *REPLACED) if view.has("aks") else ():
        if reason := why_needed(chart.observed, REPLACED[chart.chart], view):
            yield Owned(REPLACED[chart.chart], ObservedPlace(chart.observed, chart.pointer), reason)


def _all(view: View) -> tuple[Owned, ...]:
    return view.objects.once("owned GPU software", lambda: tuple(_each(view)))


def _each(view: View) -> Iterator[Owned]:
    yield from _daemons(view)
    yield from _charts(view)
    yield from _scraped(view)
    yield from _unknown(view)


def _scraped(view: View) -> Iterator[Owned]:
    """The exporter of a monitor that gitgpu's would not replace."""
    if kept := kept_monitor(view):
        yield Owned(EXPORTER, *kept)


def _unknown(view: View) -> Iterator[Owned]:
    for place, reason in unknown_plugins(view):
        yield Owned(PLUGIN, place, reason)


def _daemons(view: View) -> Iterator[Owned]:
    for observed in view.cluster.objects:
        part = part_of(observed.body)
        if not part or is_operated(observed) or is_ours(observed) or is_add_on(observed):
            continue
        for number, entry in enumerate(list_at(observed.body, *map(str, _CONTAINERS))):
            container = mapping_at(entry)
            if part_in(container) == part and (reason := _why_of_container(part, container, observed, view)):
                yield Owned(part, ObservedPlace(observed, (*_CONTAINERS, number)), reason)
                break


def _why_of_container(part: str, container: Mapping[str, Any], observed: Observed, view: View) -> str:
    """Why a DaemonSet stays; "" if gitgpu's can take its place."""
    software, image = SOFTWARE[part], str(container.get("image") or "")
    if short_name(image) == DISCOVERY:  # as of 2024, the image of the device plugin has it
        return f"its image {image} is older than all that the catalog has: it stays as it is"
    if not known_version(software, image, view.catalog):
        return why_left(software, tag_of(image))
    options = list(options_of_container(container, _options(software, view)))
    return (
        why_copy_stays(software, image, view.catalog)
        or _with_options(options)
        or why_secret_stays(observed)
        or (why_exporter_stays(observed, view) if part == EXPORTER else "")
        or (why_detector_stays(observed, container, view) if part == DETECTOR else "")
    )


def _charts(view: View) -> Iterator[Owned]:
    for chart in installed_charts(view, *REPLACED):
        if reason := _why_of_chart(chart, view):
            yield Owned(REPLACED[chart.chart], ObservedPlace(chart.observed, chart.pointer), reason)


def _why_of_chart(chart: InstalledChart, view: View) -> str:
    version = written_version(chart)
    if EXACT.fullmatch(version) and not known_version_of_chart(version, view.catalog.versions(chart.chart)):
        return why_left(chart.chart, version)
    if secret := why_secret_stays(chart.observed):
        return secret
    if chart.release and (reason := why_values_stay(chart.release)):
        return reason
    values = chart.release.values if chart.release else {}
    options = _options(chart.chart, view)
    container = {"args": list_at(values, "arguments"), "env": list_at(values, "extraEnv")}
    return _with_options([*options_of_values(values, options), *options_of_container(container, options)])


def _options(software: str, view: View) -> list[Facts]:
    """The options of an image that matter on the nodes of the cluster."""
    partitioned = any(nodes.agent and nodes.agent.gpu_instance_profile for nodes in view.pools)
    options = view.catalog.must("containers", software).get("options", ())
    return [option for option in options if partitioned or not option.get("partitioned")]


def _with_options(options: list[str]) -> str:
    text = ", ".join(options)
    return f"it has options for which the spec has no key ({text}): it stays as it is" if options else ""

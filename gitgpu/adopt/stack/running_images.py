"""Images of GPU software that run in versions that the catalog lacks, and that gitgpu's own objects can run."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from gitgpu.access import list_at, mapping_at
from gitgpu.adopt.stack.chart_versions import EXACT
from gitgpu.adopt.stack.gpu_daemons import EXPORTER, PLUGIN, SOFTWARE, is_add_on, is_operated, part_in, part_of
from gitgpu.adopt.stack.image_versions import known_version, tag_of, version_tag
from gitgpu.adopt.stack.installed import installed_releases
from gitgpu.adopt.stack.operated_images import operated_images
from gitgpu.adopt.stack.view import View
from gitgpu.model.catalog import Catalog
from gitgpu.model.syntax.version import numbers_in, version

_NAME = re.compile(r"\D*")  # the part of a tag before its version, such as v or network-operator-v
# How the tags of an image name the version of the chart that installs it: v0.17.4, 4.4.0-4.5.0-ubuntu22.04.
_TAGS = {
    "nvidia-device-plugin": re.compile(r"v(\d+\.\d+\.\d+)"),
    "dcgm-exporter": re.compile(r"\d+\.\d+\.\d+-(\d+\.\d+\.\d+)(-\w+[\d.]*)?"),
}


class RunningImage(NamedTuple):
    """An image that runs: the row of its software, and its tag."""

    software: str
    tag: str

    @property
    def chart(self) -> str:
        """The version of the chart that installs it; "" if there is no such chart."""
        pattern = _TAGS.get(self.software)
        match = pattern.fullmatch(self.tag) if pattern else None
        return match[1] if match else ""


def running_images(view: View) -> Iterator[RunningImage]:
    """Those of DaemonSets and charts that gitgpu's DaemonSets replace, and those that objects of operators name."""
    for software, image in (*_daemon_images(view), *_chart_images(view)):
        running = RunningImage(software, version_tag(image))
        if running.chart and _is_lacking(running, image, view.catalog):
            yield running
    for operated in operated_images(view):
        running = RunningImage(operated.software, version_tag(operated.image))
        if _is_lacking(running, operated.image, view.catalog):
            yield running


def _daemon_images(view: View) -> Iterator[tuple[str, str]]:
    for observed in view.cluster.objects:
        part = part_of(observed.body)
        if part not in (PLUGIN, EXPORTER) or is_operated(observed) or is_add_on(observed):
            continue
        for entry in list_at(observed.body, "spec", "template", "spec", "containers"):
            container = mapping_at(entry)
            if part_in(container) == part:
                yield SOFTWARE[part], str(container.get("image") or "")


def _chart_images(view: View) -> Iterator[tuple[str, str]]:
    """The image of each release: by the tag in its values, else the device plugin's, which has the chart's version."""
    for installed in installed_releases(view, *_TAGS):
        software, release = installed.chart.chart, installed.release
        tag = release.value("image", "tag")
        if not tag and software == "nvidia-device-plugin" and EXACT.fullmatch(release.version):
            tag = f"v{release.version.removeprefix('v')}"
        if tag and release.whole:
            yield software, f"{view.catalog.must('containers', software)['repository']}:{tag}"


def _is_lacking(running: RunningImage, image: str, catalog: Catalog) -> bool:
    """Whether the catalog lacks the version, and it has the options that gitgpu sets."""
    row, tag = catalog.must("containers", running.software), running.tag
    if tag_of(image) == "" or _name(tag) != _name(row["version"]) or not numbers_in(tag):
        return False  # without a version, as in `latest`
    is_known = bool(known_version(running.software, image, catalog))
    return not is_known and version(numbers_in(tag)) >= version(row.get("oldest", "0"))


def _name(tag: str) -> str:
    match = _NAME.match(tag)
    return match[0] if match else ""

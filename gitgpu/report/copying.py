"""Shell commands that copy charts, and the frame of a script that copies images and charts."""

from collections.abc import Iterable, Iterator
from shlex import join

from gitgpu.mirror import Chart, Image

_HEAD = "set -eu  # copies what the fleet needs; can be run again"
_FOLDER = """\
CHARTS=$(mktemp -d)
trap 'rm -r "$CHARTS"' EXIT"""


def script(images: Iterable[str], charts: Iterable[Chart]) -> str:
    """A script of commands for images and for the charts that have a copy."""
    copied_charts = [chart for chart in charts if chart.copy]
    lines = [_HEAD, *images]
    if copied_charts:
        lines.append(_FOLDER)
    for chart in copied_charts:
        lines += _chart(chart)
    return "".join(f"{line}\n" for line in lines)


def copies(images: Iterable[Image]) -> Iterator[tuple[str, str]]:
    """The source and the target of each image that is copied. A target without a tag has the digest."""
    for image in images:
        if image.is_copied:
            target = image.reference._replace(repository=image.copy)
            yield image.reference.source, (target._replace(digest="") if target.tag else target).text


def _chart(chart: Chart) -> Iterator[str]:
    oci = chart.repository.startswith("oci://")
    # Helm addresses a chart in a registry as a whole, but a chart in a repository by its name.
    named = [f"{chart.repository}/{chart.name}"] if oci else [chart.name, "--repo", chart.repository]
    yield f'{join(["helm", "pull", *named, "--version", chart.version])} --destination "$CHARTS"'
    # `helm push` adds the name of the chart to the target.
    yield f'helm push "$CHARTS"/{chart.name}-{chart.version}.tgz {chart.copy.rpartition("/")[0]}'

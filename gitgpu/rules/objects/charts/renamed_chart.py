"""A chart that was renamed."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.objects.gitops.chart_values import chart_row
from gitgpu.objects.gitops.releases import Release, releases
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer


def _check(objects: Objects) -> Iterator[Finding]:
    for release in releases(objects):
        facts = chart_row(release, objects)
        if release.chart in facts.get("renamed", ()) and release.pointer:
            message = f"the chart {release.chart} has been renamed and is no longer updated"
            newest = objects.catalog.must("charts", facts["name"])
            remedy = f"install the chart {newest['chart']} from {newest['repository']}"
            yield Finding(release.item, _place(release), message, remedy, row=newest)


def _place(release: Release) -> Pointer:
    if "helm" in release.pointer:
        return (*release.pointer[:-2], "chart")
    return ("chart",) if release.pointer == ("values",) else ("spec", "chart")


RULE = Rule(
    code="STK024",
    name="renamed-chart",
    severity=Severity.WARNING,
    summary="A release installs a chart under a name that is no longer published.",
    help="New versions and fixes are published under the new name only.",
    sources=(
        "https://github.com/kubernetes-sigs/dra-driver-nvidia-gpu/blob/95932046683719c43b6a0dd9613c2e5aad5d6703/site/content/docs/install.md",
    ),
    check=_check,
)

"""Versions of running charts, and whether the catalog has them: of any other, a build installs the newest instead."""

import re
from collections.abc import Mapping

from gitgpu.adopt.stack.installed import InstalledChart, installed_charts, version_of_chart
from gitgpu.adopt.stack.view import View
from gitgpu.load.catalog.releases import Version

_LEAVABLE = ("gpu-operator", "keda", "prometheus-adapter")  # charts that a stack can leave to their owners
EXACT = re.compile(r"v?\d+\.\d+\.\d+([-+].*)?")  # an exact version, not a range such as 25.10.x


def written_version(chart: InstalledChart) -> str:
    """The version of a chart as its release or a label has it; "" without one."""
    return chart.release.version if chart.release else version_of_chart(chart.observed)


def of_chart(text: str, versions: Mapping[str, Version]) -> str:
    """The version of the software whose chart has this version, with or without a leading v."""
    plain = text.removeprefix("v").partition("+")[0]
    charts = ((name, row.facts.get("charts")) for name, row in versions.items())
    return next((name for name, row in charts if row and str(row["version"]).removeprefix("v") == plain), "")


def lacking(chart: InstalledChart, view: View) -> str:
    """The exact version of a running chart that stays with its owner because the catalog lacks it, or "".

    Another release may show the version too.
    """
    if chart.chart not in _LEAVABLE:
        return ""
    versions = view.catalog.versions(chart.chart)
    texts = [written_version(each) for each in installed_charts(view, chart.chart)]
    known = any(of_chart(text, versions) for text in texts)
    return "" if known else next((text for text in texts if EXACT.fullmatch(text)), "")


def why_left(chart: InstalledChart, version: str) -> str:
    """Why a chart of a version that the catalog lacks stays with its owner, and how to change that."""
    row = f"releases/{chart.chart}-{version}.yaml"
    return (
        f"the catalog has no {chart.chart} {version}, and a build would install another version: it stays as it is; "
        f"to manage it, add {row} to your own catalog and import again"
    )

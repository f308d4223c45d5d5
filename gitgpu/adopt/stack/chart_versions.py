"""Versions of running charts, and whether the catalog has them: of any other, a build installs the newest instead."""

import re
from collections.abc import Mapping
from typing import Any

from gitgpu.adopt.stack.installed import InstalledChart, installed_charts, version_of_chart
from gitgpu.adopt.stack.values_elsewhere import why_values_stay
from gitgpu.adopt.stack.view import View
from gitgpu.inventory.observed import Observed
from gitgpu.load.catalog.releases import Version
from gitgpu.model.catalog import Catalog
from gitgpu.model.syntax.version_range import allows
from gitgpu.source import pointer_text

_LEAVABLE = (
    "amd-gpu-operator",
    "dra-driver-nvidia-gpu",
    "gpu-operator",
    "kaito-workspace",
    "keda",
    "kueue",
    "network-operator",
    "node-feature-discovery",
    "prometheus-adapter",
)  # charts that a stack can leave to their owners
_ONE = re.compile(r"[A-Za-z0-9]*\d(?!\S*\.[xX*])[-A-Za-z0-9_.+]*")  # a version or a tag, not a range
EXACT = re.compile(r"v?\d+\.\d+\.\d+([-+].*)?")  # an exact version, not a range such as 25.10.x


def written_version(chart: InstalledChart) -> str:
    """The version of a chart as its release or a label has it; "" without one."""
    return chart.release.version if chart.release else version_of_chart(chart.observed)


def known_version_of_chart(text: str, versions: Mapping[str, Version]) -> str:
    """The version of the software whose chart has this version, with or without a leading v, or is in this range."""
    charts = [(name, str(row.facts["charts"]["version"])) for name, row in versions.items() if row.facts.get("charts")]
    if EXACT.fullmatch(text):
        plain = text.removeprefix("v").partition("+")[0]
        return next((name for name, version in charts if version.removeprefix("v") == plain), "")
    # The newest that a range allows runs, as far as the catalog knows.
    return next((name for name, version in reversed(charts) if text and allows(text, version)), "")


def lacking(chart: InstalledChart, view: View) -> str:
    """The version of a running chart that stays with its owner because the catalog lacks it, or "".

    Another release may show the version too.
    """
    if chart.chart not in _LEAVABLE:
        return ""
    versions = view.catalog.versions(chart.chart)
    texts = list(filter(None, (written_version(each) for each in installed_charts(view, chart.chart))))
    known = any(known_version_of_chart(text, versions) for text in texts)
    return "" if known else next(iter(texts), "")


def why_chart_stays(chart: InstalledChart, view: View) -> str:
    """Why a running chart stays with its owner, as a clause; "" if gitgpu can install it as it runs."""
    if version := lacking(chart, view):
        return why_left(chart.chart, version)
    if chart.chart in _LEAVABLE and (secret := why_secret_stays(chart.observed)):
        return secret
    is_read = any(each.release and each.release.whole for each in installed_charts(view, chart.chart))
    return why_values_stay(chart.release) if chart.release and chart.chart in _LEAVABLE and not is_read else ""


def why_secret_stays(observed: Observed) -> str:
    """Why an object with a value that was not read stays with its owner, as a clause; "" without such a value."""
    if not observed.hidden:
        return ""
    return f"{pointer_text(observed.hidden[0])} may be a secret, which does not belong in Git"


def known_defaults(chart: str, catalog: Catalog) -> Mapping[str, Any]:
    """The default values of a chart in the version that the catalog pins.

    {} if its row is one of the user's: it has defaults of another version, so each value has to stay as it is set.
    """
    is_own = catalog.has_pin("charts", chart) and catalog.own("charts", chart)
    return {} if is_own else catalog.must("charts", chart).get("defaults") or {}


def why_left(software: str, version: str) -> str:
    """Why software of a version that the catalog lacks stays with its owner, and how to change that."""
    does = "and a build would install a different version: it stays as it is"
    if not version:
        return f"its image has no tag that says which {software} runs, {does}"
    if not _ONE.fullmatch(version):
        return f"its version '{version}' does not say which {software} runs, {does}"
    row = f"releases/{software}-{version}.yaml"
    return (
        f"the catalog has no {software} {version}, {does}; to manage it, add {row} to your own catalog and import again"
    )

"""Rows of published charts: the newest release of a chart, if it is newer than the one that gitgpu knows."""

import re
from collections.abc import Iterable

from gitgpu.model.catalog import Catalog, Facts
from gitgpu.model.syntax.version import version
from gitgpu.refresh.answers.charts import ChartIndex, PublishedRelease
from gitgpu.refresh.row import CatalogUpdate, OwnedRow, Unknown
from gitgpu.source import Span

KIND = "published"
_RELEASE = re.compile(r"v?[0-9]+\.[0-9]+\.[0-9]+(\+.*)?")  # no pre-release, which has a part after a hyphen
_INDEX = "index.yaml"


def published_charts(indexes: Iterable[ChartIndex], catalog: Catalog, day: str) -> CatalogUpdate:
    """A row for each chart in an index. A chart whose index does not list the catalog's release is unknown."""
    rows: list[OwnedRow] = []
    unknown: list[Unknown] = []
    for index in indexes:
        for name, chart in catalog.rows("charts").items():
            releases = index.releases.get(chart["chart"], ())
            # A registry (OCI) has no index.
            if not releases or chart["type"] != "https":
                continue
            # Otherwise the index may be that of another repository, which has a chart of this name too.
            if not any(_same(release.version, chart["version"]) for release in releases):
                unknown.append(Unknown("repository of the chart", name, Span(index.text.name, 1, 1)))
                continue
            rows.append(_row(name, chart, releases, index.day or day))
    return CatalogUpdate(tuple(rows), tuple(unknown))


def _same(first: str, second: str) -> bool:
    return first.removeprefix("v") == second.removeprefix("v")


def _row(name: str, chart: Facts, releases: Iterable[PublishedRelease], day: str) -> OwnedRow:
    sound = [stable for stable in releases if _RELEASE.fullmatch(stable.version) and not stable.deprecated]
    newest = max(sound, key=lambda release: version(release.version), default=None)
    source = f"{chart['repository'].rstrip('/')}/{_INDEX}"
    keys = dict.fromkeys(("version", "appVersion", "kubeVersion", "created", "date"))
    if newest and version(newest.version) > version(chart["version"]):
        keys = {
            "version": newest.version,
            "appVersion": newest.app_version or None,
            "kubeVersion": newest.kube_version or None,
            "created": newest.created[:10] or None,  # the day of a timestamp
            "date": day,
        }
    return OwnedRow(KIND, name, False, keys, source, day)

"""The releases of charts in the `index.yaml` of a Helm repository (IndexFile of helm/helm, pkg/repo/index.go).

Such an index can have 100,000 lines. Helm writes the entries of a chart below its name, so only wanted entries are
parsed.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any, NamedTuple

from gitgpu.access import reach, rows, text_at
from gitgpu.diagnostic import Diagnostic, fault
from gitgpu.load.parse.yaml import parse
from gitgpu.load.text import Text
from gitgpu.source import Span

OPTION = "--charts"
# Helm indents by two blanks, so only names of charts have exactly that depth below `entries`.
_ENTRY = re.compile(r"^  ([A-Za-z0-9][A-Za-z0-9._-]*):[ \t]*$", re.MULTILINE)
# The key above the names of charts.
_HEAD = re.compile(r"^entries:[ \t]*$", re.MULTILINE)
# The day on which Helm wrote the index, without the time.
_GENERATED = re.compile(r"^generated: [\"']?([0-9]{4}-[0-9]{2}-[0-9]{2})", re.MULTILINE)


class PublishedRelease(NamedTuple):
    """A release of a chart. Texts that the index does not have are ""."""

    chart: str
    version: str
    app_version: str
    kube_version: str
    created: str
    deprecated: bool


class ChartIndex(NamedTuple):
    """The releases of the wanted charts by name, and the day on which the index was created, or ""."""

    text: Text
    releases: Mapping[str, tuple[PublishedRelease, ...]]
    day: str


def charts(text: Text, names: Collection[str]) -> tuple[ChartIndex | None, list[Diagnostic]]:
    """The index in a text, and its faults."""
    if not text.content.strip():
        remedy = "fetch the index again, and check that it is not empty"
        return None, [fault("IMP001", "the input is empty", remedy, Span(text.name, 1, 1))]
    by_chart: dict[str, tuple[PublishedRelease, ...]] = {}
    pieces = dict(_pieces(text, names)) or {"": text}
    for name, piece in pieces.items():
        documents, faults = parse(piece)
        if faults:
            return None, faults
        index = documents[0].data if documents else None
        if name == "" and not isinstance(reach(index, "entries"), dict):
            remedy = f"pass the file index.yaml of a chart repository with {OPTION}"
            return None, [fault("CAT011", "not the index of a chart repository", remedy, Span(text.name, 1, 1))]
        entries: Any = index if name else reach(index, "entries")
        by_chart |= {chart: tuple(_releases(entries, chart)) for chart in entries if chart in names}
    releases = {name: published for name, published in by_chart.items() if published}
    if not releases:
        remedy = "pass the index.yaml of a repository from which the fleet installs charts"
        message = "contains no release of a chart that gitgpu installs"
        return None, [fault("CAT012", message, remedy, Span(text.name, 1, 1))]
    day = _GENERATED.search(text.content)
    return ChartIndex(text, releases, day[1] if day else ""), []


def _pieces(text: Text, names: Collection[str]) -> Iterator[tuple[str, Text]]:
    """The entries of each wanted chart, on their own lines; nothing if the index has another layout."""
    head = _HEAD.search(text.content)
    entries = list(_ENTRY.finditer(text.content, head.end())) if head else []
    if entries:
        yield entries[0][1], text._replace(content="{}")  # so that an index of other charts is not parsed as a whole
    for entry, following in zip(entries, [*entries[1:], None], strict=False):
        if entry[1] in names:
            end = following.start() if following else _end(text.content, entry.end())
            lines = "\n" * text.content.count("\n", 0, entry.start())  # so that faults have their places
            yield entry[1], text._replace(content=lines + text.content[entry.start() : end])


def _end(content: str, start: int) -> int:
    """Where the next key of the index begins."""
    match = re.compile(r"^[A-Za-z]", re.MULTILINE).search(content, start)
    return match.start() if match else len(content)


def _releases(index: Mapping[str, Any], chart: str) -> Iterator[PublishedRelease]:
    for row in rows(index, chart):
        version, deprecated = text_at(row, "version"), row.get("deprecated") is True
        if version:
            app, kubernetes, created = (text_at(row, key) for key in ("appVersion", "kubeVersion", "created"))
            yield PublishedRelease(chart, version, app, kubernetes, created, deprecated)

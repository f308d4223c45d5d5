"""Versions of charts and images: the rows of `charts` and `containers`, and the rows of `releases`, with differences.

A release is older (or, in a user's catalog, newer) than the row of its software. Its `chart` and `image` contain the
keys that differ from the row in `charts` and `containers`. Mappings are merged key by key.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any, NamedTuple

from gitgpu.diagnostic import Diagnostic, fault
from gitgpu.load.catalog.folders import SUFFIX
from gitgpu.load.catalog.partial_rows import merge_mappings
from gitgpu.load.catalog.row import Row
from gitgpu.load.catalog.row_schema import schema_faults
from gitgpu.load.catalog.rows import CatalogFiles
from gitgpu.source import Pointer
from gitgpu.spelling import nearest

KIND = "releases"
PARTS: Mapping[str, str] = {"charts": "chart", "containers": "image"}
_OWN = ("notes", "source", "asOf", "verified")  # keys about the row itself
_KAITO = "kaito-workspace"
_NUMBER = re.compile(r"\d+")


class Version(NamedTuple):
    """One version of a chart, an image, or both: the facts by kind of row, and the user's files with these facts."""

    facts: Mapping[str, Mapping[str, Any]]
    files: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The version: the image's if there is one, because gitgpu then installs the image, not the chart."""
        return str((self.facts.get("containers") or self.facts["charts"])["version"])


def current(files: CatalogFiles, software: str) -> Version:
    """The version that is installed without a pin. It has no facts if the catalog does not know the software."""
    return _described(files.row(kind, software) for kind in PARTS)


def versions(files: CatalogFiles, software: str) -> dict[str, Version]:
    """Every version of the software that can be pinned, oldest first; {} if the catalog has none."""
    newest = current(files, software)
    if not newest.facts:
        return {}
    by_version = {newest.name: newest}
    base = newest
    if newest.files:
        # A release contains differences from gitgpu's row, unless the user's row is about the same version.
        shipped = _described(files.shipped_row(kind, software) for kind in PARTS)
        if shipped.facts and shipped.name != newest.name:
            base = by_version[shipped.name] = shipped
    for row in _releases(files, software):
        by_version.setdefault(str(row.data["version"]), _merged(base, row))
    chart = _chart(newest)
    return {name: by_version[name] for name in sorted(by_version, key=lambda name: _order(by_version[name], chart))}


def _order(version: Version, chart: str) -> tuple[bool, list[int], str]:
    """A chart that got another name can have lower numbers since then."""
    return _chart(version) in ("", chart), [int(part) for part in _NUMBER.findall(version.name)], version.name


def _chart(version: Version) -> str:
    return str(version.facts.get("charts", {}).get("chart", ""))


def release_faults(files: CatalogFiles) -> Iterator[Diagnostic]:
    """Faults in the user's releases that the schema does not find: the software, the name, and the merged rows."""
    for name in files.names(KIND):
        row = files.row(KIND, name) if files.is_own(KIND, name) else None
        if row:
            yield from _wrong_software(row, files)
    chart = files.row("charts", _KAITO) if files.is_own("charts", _KAITO) else None
    if chart:
        yield from _unknown_kaito(chart, chart.data["appVersion"], ("appVersion",), files)


def _described(rows: Iterable[Row | None]) -> Version:
    """The version that the rows of some software describe together."""
    found = [row for row in rows if row]
    return Version({row.kind: row.data for row in found}, _written(*found))


def _releases(files: CatalogFiles, software: str) -> Iterator[Row]:
    for name in files.names(KIND):
        row = files.row(KIND, name) if name.startswith(f"{software}-") else None
        if row and row.data["software"] == software:
            yield row


def _merged(base: Version, row: Row) -> Version:
    """The version that a release describes."""
    parts = {kind: part for kind, part in PARTS.items() if row.data[part] is not None and kind in base.facts}
    facts = {kind: _part(base.facts[kind], row.data, part) for kind, part in parts.items()}
    return Version(facts, tuple(sorted({*base.files, *_written(row)})))


def _part(base: Mapping[str, Any], release: Mapping[str, Any], part: str) -> dict[str, Any]:
    about = {key: release[key] for key in _OWN if key in release}
    # The notes, the date and the digest belong to another version.
    inherited = {key: value for key, value in base.items() if key not in ("notes", "asOf")} | {"digest": None}
    whole = merge_mappings(inherited, release[part] | about)
    for pointer in release.get("without", ()):
        first, *path = pointer.split("/")[1:]
        whole = _without(whole, path) if first == part else whole
    return whole


def _without(facts: Any, path: list[str]) -> Any:
    """The facts without the key at a path."""
    if not isinstance(facts, Mapping):
        return facts
    first, *rest = path
    left = dict(facts)
    if rest and first in left:
        left[first] = _without(left[first], rest)
    else:
        left.pop(first, None)
    return left


def _written(*rows: Row) -> tuple[str, ...]:
    return tuple(f"{row.origin}/{row.kind}/{row.name}{SUFFIX}" for row in rows if row.origin)


def _wrong_software(row: Row, files: CatalogFiles) -> Iterator[Diagnostic]:
    software, version = row.data["software"], row.data["version"]
    names = sorted(set(chain.from_iterable(map(files.names, PARTS))))
    if software not in names:
        remedy = f"use a name from catalog/charts or catalog/containers: {', '.join(names)}"
        closest = nearest(software, names)
        if closest:
            remedy = f"use {closest}"
        span = row.places.span(("software",))
        yield fault("CAT008", f"the catalog has no chart or image '{software}'", remedy, span)
    elif row.name != f"{software}-{version}":
        remedy = f"name the file {software}-{version}{SUFFIX}, and set name: {software}-{version}"
        yield fault("CAT002", f"the row '{row.name}' is about {software} {version}", remedy, row.places.span(("name",)))
    else:
        yield from _wrong_parts(row, files)


def _wrong_parts(row: Row, files: CatalogFiles) -> Iterator[Diagnostic]:
    base = current(files, row.data["software"])
    for kind, part in PARTS.items():
        if row.data[part] is not None and kind not in base.facts:
            message, remedy = f"the catalog has no {kind}/{row.data['software']}", f"set {part}: null"
            yield fault("CAT008", message, remedy, row.places.span((part,)))
        elif row.data[part] is not None:
            yield from _unfit(row, kind, _part(base.facts[kind], row.data, part))
    part = PARTS["containers" if "containers" in base.facts else "charts"]
    if row.data[part] is None:
        message = f"gitgpu installs the {part} of {row.data['software']}, and the release has none"
        yield fault("CAT008", message, f"add the {part}", row.places.span((part,)))
    elif row.data[part]["version"] != row.data["version"]:
        message = f"version is '{row.data['version']}', but that of the {part} is '{row.data[part]['version']}'"
        yield fault("CAT008", message, "use the same version for both", row.places.span((part, "version")))
    app = (row.data["chart"] or {}).get("appVersion") if row.data["software"] == _KAITO else None
    if app is not None:
        yield from _unknown_kaito(row, app, ("chart", "appVersion"), files)


def _unknown_kaito(row: Row, app: str | None, place: Pointer, files: CatalogFiles) -> Iterator[Diagnostic]:
    """The fault that no row of `kaito` has the sizes and models of the release that KAITO's chart installs."""
    if app not in files.names("kaito"):
        remedy = f"add kaito/{app}.yaml as well, or refer to an existing row"
        yield fault("CAT005", f"the catalog has no kaito/{app}", remedy, row.places.span(place))


def _unfit(row: Row, kind: str, whole: Mapping[str, Any]) -> Iterator[Diagnostic]:
    """The whole row against the schema of its kind."""
    for problem in schema_faults(kind, whole):
        release_problem = problem._replace(pointer=(PARTS[kind], *problem.pointer))
        yield release_problem.diagnostic("CAT004", row.places)

"""The catalog as files: rows are read on demand, so that a small fleet starts fast.

A catalog is a list of directories, `<kind>/<name>.yaml` in each. A later directory adds rows or overrides whole rows,
or with `extends: gitgpu` single keys of them.
"""

import json
import re
from collections.abc import Collection, Iterable, Iterator
from functools import cached_property
from typing import Any, NamedTuple

from gitgpu.diagnostic import Diagnostic
from gitgpu.load.allowed_paths import allowed_roots, outside_reason
from gitgpu.load.explain.faults import explain_faults
from gitgpu.load.parse.yaml import Parsed, parse
from gitgpu.load.partial_rows import extended, extends
from gitgpu.load.read import data_root, data_text, is_file, listing, read_bytes, read_text
from gitgpu.load.text import Text, fault
from gitgpu.load.validate.compiler import compile_schema
from gitgpu.source import SourceMap, Span

SUFFIX = ".yaml"
OWN = "catalog"
_VERIFIED = re.compile(rb"""^verified: ["']?([0-9]{4}-[0-9]{2}-[0-9]{2})""", re.MULTILINE)


class Folder(NamedTuple):
    """A directory of the user's own rows. `label` is its name in generated files: the same on every machine."""

    path: str
    label: str


class Row(NamedTuple):
    """One row: its data, its places, and the label of the directory it came from ("" for gitgpu's own catalog)."""

    kind: str
    name: str
    data: dict[str, Any]
    places: SourceMap
    origin: str


class CatalogFiles:
    """The rows below some directories; each file is read once. Later directories win."""

    def __init__(self, directories: Iterable[Folder] = ()) -> None:
        self.directories = (
            ("", f"{data_root()}/{OWN}"),
            *((directory.label, directory.path) for directory in directories),
        )
        self.faults: list[Diagnostic] = []
        self._names: dict[str, dict[str, tuple[str, str]]] = {}
        self._rows: dict[tuple[str, str], Row | None] = {}

    def names(self, kind: str) -> tuple[str, ...]:
        """The names of all rows of a kind, sorted."""
        return tuple(self._files(kind))

    def row(self, kind: str, name: str) -> Row | None:
        """One row, or None when there is none or it cannot be read (then `faults` says why)."""
        if (kind, name) not in self._rows:
            found = self._files(kind).get(name)
            self._rows[kind, name] = self._read(kind, name, *found) if found else None
        return self._rows[kind, name]

    def shipped(self, kind: str, name: str) -> Row | None:
        """The row of gitgpu's catalog, also where the user's replaces it; None where gitgpu has none."""
        path = f"{data_root()}/{OWN}/{kind}/{name}{SUFFIX}"
        return self._read(kind, name, path, "") if is_file(path) else None

    def read_own(self) -> None:
        """Read every row of the user, so that its faults are reported before it is needed."""
        for _, path in self.directories[1:]:
            self.faults.extend(_strangers(path))
        for kind in self.kinds:
            for name, (_, origin) in self._files(kind).items():
                row = self.row(kind, name) if origin else None
                if row and kind == "skus":
                    self._follow(row)

    def mentioning(self, kind: str, words: Collection[str]) -> tuple[str, ...]:
        """The names of the rows whose text contains one of the words. Cheap, because nothing is parsed."""
        return tuple(name for name in self.names(kind) if any(word in self._text(kind, name) for word in words))

    def everything(self) -> Iterator[bytes]:
        """The content of every row, gitgpu's and the user's, in order of kind and name."""
        for kind in self.kinds:
            for name, (path, origin) in self._files(kind).items():
                yield f"{kind}/{name}\0{origin}\0".encode() + (read_bytes(path) if is_file(path) else b"")

    @cached_property
    def newest_day(self) -> str:
        """The newest `verified` date of all rows, as 2026-11-22. Searches lines, because parsing takes long."""
        days = (day.decode() for content in self.everything() for day in _VERIFIED.findall(content))
        return max(days, default="")

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of rows, by the names of the folders."""
        return tuple(sorted({kind for _, path in self.directories for kind in listing(path) if "." not in kind}))

    def _files(self, kind: str) -> dict[str, tuple[str, str]]:
        if kind not in self._names:
            found = {
                name.removesuffix(SUFFIX): (f"{path}/{kind}/{name}", origin)
                for origin, path in self.directories
                for name in listing(f"{path}/{kind}")
                if name.endswith(SUFFIX) and not name.startswith(".")
            }
            self._names[kind] = dict(sorted(found.items()))
        return self._names[kind]

    def _text(self, kind: str, name: str) -> str:
        text = _regular(*self._files(kind)[name])
        return text.content if isinstance(text, Text) else ""

    def _read(self, kind: str, name: str, path: str, origin: str) -> Row | None:
        text = _regular(path, origin)
        if isinstance(text, Diagnostic):
            self.faults.append(text)
            return None
        documents, faults = parse(text)
        if len(documents) != 1 or not isinstance(documents[0].data, dict):
            remedy = "write exactly one mapping"
            diagnostic = fault("CAT001", "a catalog file must contain exactly one row", remedy, Span(path, 1, 1))
            self.faults.extend(faults or [diagnostic])
            return None
        self.faults.extend(faults)
        if documents[0].data.get("name") != name:
            message = f"the name of the row is {documents[0].data.get('name')!r}, but the file is named '{name}'"
            self.faults.append(
                fault("CAT002", message, "use the same name for both", documents[0].places.span(("name",)))
            )
            return None
        document = self._whole(kind, documents[0]) if origin else documents[0]
        return Row(kind, name, document.data, document.places, origin) if document else None

    def _whole(self, kind: str, document: Parsed) -> Parsed | None:
        """A row of the user, merged over the row that it extends; None if it does not match the schema of its kind."""
        if extends(document.data):
            base = self.shipped(kind, document.data["name"])
            whole = extended(document, base.data if base else None, kind)
            if isinstance(whole, Diagnostic):
                self.faults.append(whole)
                return None
            document = whole
        return document if self._fits(kind, document) else None

    def _follow(self, row: Row) -> None:
        """A size names its GPU and its driver: the catalog must have both."""
        named = {("gpu", "name"): ("gpus", row.data["gpu"]["name"]), ("driver",): ("drivers", row.data["driver"])}
        for pointer, (kind, name) in named.items():
            if name is not None and name not in self._files(kind):
                remedy = f"write {kind}/{name}.yaml as well, or refer to an existing row"
                place = row.places.span(pointer)
                self.faults.append(fault("CAT005", f"the catalog has no {kind}/{name}", remedy, place))

    def _fits(self, kind: str, document: Parsed) -> bool:
        """Check a row of the user against the schema of its kind. Tests check those of gitgpu."""
        try:
            schema = json.loads(data_text(f"schemas/catalog/{kind}.schema.json"))
        except FileNotFoundError:
            remedy = "the folders of a catalog are " + ", ".join(listing(f"{data_root()}/{OWN}"))
            self.faults.append(fault("CAT003", f"unknown catalog folder '{kind}'", remedy, document.places.span()))
            return False
        if compile_schema(schema)(document.data):
            return True
        for violation in explain_faults(schema, document.data):
            place = document.places.span(violation.pointer, key=violation.at_key)
            self.faults.append(fault("CAT004", violation.message, violation.help, place))
        return False


def _regular(path: str, origin: str) -> Text | Diagnostic:
    """The text of a file found in a directory. Pipes and devices would block; links may lead out of it."""
    why = outside_reason(path, allowed_roots([path.rsplit("/", 2)[0]])) if origin else ""
    if why or not is_file(path):
        why = f"is not read: it {why}" if why else "cannot be read: not a regular file"
        return fault("INP001", why, "replace it with a file, or remove it", Span(path, 0, 0))
    return read_text(path)


def _strangers(path: str) -> Iterator[Diagnostic]:
    """Faults for files in a directory of the user that are not rows: a misspelled name must be reported."""
    kinds, there = listing(f"{data_root()}/{OWN}"), listing(path)
    remedy = f"use a directory with folders such as {path}/skus; the kinds are {', '.join(kinds)}"
    if not any(name.endswith(SUFFIX) for folder in there for name in listing(f"{path}/{folder}")):
        yield fault("CAT006", "is not a catalog: no folder in it contains a row", remedy, Span(path, 0, 0))
        return
    for kind in kinds:
        for name in listing(f"{path}/{kind}"):
            if not name.endswith(SUFFIX) and not name.startswith("."):
                advice, where = f"give it a name that ends in {SUFFIX}", Span(f"{path}/{kind}/{name}", 0, 0)
                yield fault("CAT006", "is ignored: it is not a catalog row", advice, where)
    for name in there:
        if name.endswith((".yaml", ".yml")):
            yield fault("CAT006", "is ignored: it is not in a folder", remedy, Span(f"{path}/{name}", 0, 0))

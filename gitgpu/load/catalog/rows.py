"""The catalog as files: rows are read on demand, so that a small fleet starts fast.

A catalog is a list of directories with files `<kind>/<name>.yaml`. A later directory adds rows, or replaces whole rows;
with `extends: gitgpu`, only single keys of them. Several rows that extend the same row of gitgpu are combined.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain

from gitgpu.diagnostic import Diagnostic, fault
from gitgpu.load.catalog.folders import SUFFIX, Folder, entries, gitgpus, row_bytes, row_names, row_text
from gitgpu.load.catalog.misplaced_files import no_catalog, strangers
from gitgpu.load.catalog.partial_rows import extend_row, extends
from gitgpu.load.catalog.row import Row, RowDocument, parse_row, quickly_parsed_row
from gitgpu.load.catalog.shipped_rows import shipped_row
from gitgpu.load.parse.parsed import Parsed
from gitgpu.load.read import listing
from gitgpu.load.text import Text
from gitgpu.source import SourceMap, Span

# The key of a partial row. It is searched in bytes, before the row is parsed.
_EXTENDS = re.compile(rb"^extends:", re.MULTILINE)


class CatalogFiles:
    """The rows below some directories. Each file is read once. Later directories have precedence.

    The first directory is gitgpu's own, unless the given ones start with another one without a label: an older version.
    """

    def __init__(self, directories: Iterable[Folder] = ()) -> None:
        folders = tuple(directories)
        self.directories = folders if folders and not folders[0].label else (gitgpus(), *folders)
        self.faults: list[Diagnostic] = []
        self._names: dict[str, dict[str, tuple[Folder, ...]]] = {}
        self._rows: dict[tuple[str, str], Row | None] = {}
        self._texts: dict[tuple[str, str], Text | Diagnostic] = {}

    def names(self, kind: str) -> tuple[str, ...]:
        """The names of all rows of a kind, sorted."""
        return tuple(self._files(kind))

    def row(self, kind: str, name: str) -> Row | None:
        """One row, or None if it does not exist or cannot be read (then `faults` says why)."""
        if (kind, name) not in self._rows:
            folders = self._files(kind).get(name)
            self._rows[kind, name] = self._read(kind, name, folders) if folders else None
        return self._rows[kind, name]

    def shipped_row(self, kind: str, name: str) -> Row | None:
        """The row of gitgpu's catalog, even if the user's replaces it; None if gitgpu has none."""
        folders = self._files(kind).get(name, ())
        return self._read(kind, name, folders[:1]) if folders and not folders[0].label else None

    def is_own(self, kind: str, name: str) -> bool:
        """Whether there is a row of the user. Reads no row."""
        return any(folder.label for folder in self._files(kind).get(name, ()))

    def read_own(self) -> None:
        """Read every row of the user, so that its faults are reported before it is needed."""
        shipped, *own_directories = self.directories
        if not own_directories:
            return
        usable = [shipped]
        for folder in own_directories:
            foreign = no_catalog(folder)
            if foreign:
                self.faults.append(foreign)
            else:
                self.faults.extend(strangers(folder))
                usable.append(folder)
        self.directories = tuple(usable)
        for kind in self.kinds:
            for name, folders in self._files(kind).items():
                row = self.row(kind, name) if folders[-1].label else None
                if row and kind == "skus":
                    self._follow(row)

    def mentioning(self, kind: str, words: Collection[str]) -> tuple[str, ...]:
        """The names of the rows whose text contains one of the words. This is fast, because nothing is parsed."""
        names: list[str] = []
        for name in self.names(kind):
            text = self._text(kind, name)
            if any(word in text for word in words):
                names.append(name)
        return tuple(names)

    def everything(self) -> Iterator[bytes]:
        """The content of every row, in order of kind and name, and the names of files in the user's directories."""
        for directory in self.directories[1:]:
            for kind in ("", *self.kinds):
                yield "\0".join(listing(f"{directory.path}/{kind}")).encode(errors="surrogateescape")
        for kind in self.kinds:
            for name, folders in self._files(kind).items():
                for folder in folders:  # a row can extend those before it
                    yield f"{kind}/{name}\0{folder.label}\0".encode() + row_bytes(folder, f"{kind}/{name}{SUFFIX}")

    def raw(self, kind: str, name: str) -> tuple[bytes, ...]:
        """The contents of the files for a row. If they are the same, the row is the same."""
        return tuple(row_bytes(folder, f"{kind}/{name}{SUFFIX}") for folder in self._files(kind).get(name, ()))

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of rows, by the names of the folders."""
        names = set(chain.from_iterable(map(entries, self.directories)))
        return tuple(sorted(name for name in names if "." not in name))

    def _files(self, kind: str) -> dict[str, tuple[Folder, ...]]:
        """The directories that have a row, by its name. The last one has precedence."""
        if kind not in self._names:
            by_name: dict[str, tuple[Folder, ...]] = {}
            for folder in self.directories:
                for name in row_names(folder, kind):
                    by_name[name] = (*by_name.get(name, ()), folder)
            self._names[kind] = dict(sorted(by_name.items()))
        return self._names[kind]

    def _text(self, kind: str, name: str) -> str:
        text = self._content(self._files(kind)[name][-1], f"{kind}/{name}{SUFFIX}")
        return text.content if isinstance(text, Text) else ""

    def _content(self, folder: Folder, file: str) -> Text | Diagnostic:
        """The text of a file, cached because rows are searched for words before some of them are parsed."""
        if (folder.path, file) not in self._texts:
            self._texts[folder.path, file] = row_text(folder, file)
        return self._texts[folder.path, file]

    def _read(self, kind: str, name: str, folders: Sequence[Folder]) -> Row | None:
        """The row in the last of the directories, merged with the rows before it that it extends."""
        *below, folder = folders
        shipped = shipped_row(kind, name) if folder == gitgpus() else None
        if shipped:
            places = SourceMap.of(Span(f"{folder.path}/{kind}/{name}{SUFFIX}"))  # they are not needed
            return Row(kind, name, shipped, places, folder.label)
        document = self._document(kind, name, folder)
        if isinstance(document, Parsed):
            document = self._whole(kind, document, below)
        return Row(kind, name, document.data, document.places, folder.label) if document else None

    def _document(self, kind: str, name: str, folder: Folder) -> RowDocument | None:
        """The mapping in the file of a row; None if there is not exactly one, or if it has a different name."""
        text = self._content(folder, f"{kind}/{name}{SUFFIX}")
        if isinstance(text, Diagnostic):
            self.faults.append(text)
            return None
        documents, faults = parse_row(text) if folder.label else quickly_parsed_row(text)
        if len(documents) != 1 or not isinstance(documents[0].data, dict):
            message, place = "a catalog file must contain exactly one row", Span(text.name, 1, 1)
            self.faults.extend(faults or [fault("CAT001", message, "write exactly one mapping", place)])
            return None
        self.faults.extend(faults)
        row = documents[0]
        if row.data.get("name") != name:
            message = f"the name of the row is {row.data.get('name')!r}, but the file is named '{name}'"
            self.faults.append(fault("CAT002", message, "use the same name for both", row.places.span(("name",))))
            return None
        return row

    def _whole(self, kind: str, document: Parsed, below: Sequence[Folder]) -> Parsed | None:
        """A row of the user, merged over the row that it extends; None if it does not match the schema of its kind."""
        from gitgpu.load.catalog.row_schema import row_faults  # noqa: PLC0415  most fleets have no own rows

        if extends(document.data):
            base = self._extended(kind, document.data["name"], below)
            whole = extend_row(document, base.data if base else None, kind)
            if isinstance(whole, Diagnostic):
                self.faults.append(whole)
                return None
            document = whole
        faults = row_faults(kind, document)
        self.faults.extend(faults)
        return None if faults else document

    def _extended(self, kind: str, name: str, below: Sequence[Folder]) -> Row | None:
        """The row below one with `extends: gitgpu`: gitgpu's, with rows of earlier directories that extend it too."""
        if not below or below[0].label:
            return None
        gitgpus_row, *earlier = below
        adding_folders = [folder for folder in earlier if _EXTENDS.search(row_bytes(folder, f"{kind}/{name}{SUFFIX}"))]
        return self._read(kind, name, (gitgpus_row, *adding_folders))

    def _follow(self, row: Row) -> None:
        """A size refers to its GPU and its driver: the catalog must have both."""
        named = {("gpu", "name"): ("gpus", row.data["gpu"]["name"]), ("driver",): ("drivers", row.data["driver"])}
        for pointer, (kind, name) in named.items():
            if name is not None and name not in self._files(kind):
                missing, place = f"{kind}/{name}", row.places.span(pointer)
                remedy = f"add {missing}.yaml as well, or refer to an existing row"
                self.faults.append(fault("CAT005", f"the catalog has no {missing}", remedy, place))

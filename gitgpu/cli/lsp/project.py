"""A fleet and the manifests around it, with unsaved texts in place of files. Paths are relative to its root.

It works in the current directory, which has to be its root.
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import islice

from gitgpu.cli.input.texts import with_notes
from gitgpu.cli.manifests.inputs import read_inputs
from gitgpu.cli.settings import Settings, fleet_settings, settings_without_fleet
from gitgpu.diagnostic import Diagnostic, Severity, in_order
from gitgpu.load.catalog.folders import SUFFIX, Folder, gitgpus, with_texts
from gitgpu.load.catalog.row import parse_row
from gitgpu.load.catalog.row_schema import row_faults
from gitgpu.load.configuration.content import FILE, config_of
from gitgpu.load.read import decode, is_file, listing, read_paths
from gitgpu.load.spec.shape import API_VERSION, KINDS, shape
from gitgpu.load.spec.texts import read_spec
from gitgpu.load.text import Text
from gitgpu.load.walk import SUFFIXES
from gitgpu.objects.manifest.manifests import read_manifests
from gitgpu.rules.object_findings import object_codes
from gitgpu.runs.lint import CODES
from gitgpu.runs.lint_files import lint_files
from gitgpu.runs.validate import CheckedFleet, check_fleet, link_fleet

MAX_BESIDE = 200  # files in the directory of a manifest that are checked together with it
_NO_FLEET = "INP005"
_UNREADABLE = ("INP", "YML")  # the beginnings of codes of texts that cannot be read
_NAMES = "LNK"  # the beginning of codes of names that no document has


class Project:
    """What is below a root. `buffers` are the texts of the open files by name; everything else is read from disk."""

    def __init__(self, root: str, buffers: Mapping[str, str]) -> None:
        self.root, self.buffers = root, buffers

    @cached_property
    def settings(self) -> Settings:
        """The settings of the fleet, with the rows of the catalog that are open."""
        settings = fleet_settings((), unsaved=self.buffers)
        return settings._replace(catalogs=tuple(map(self._with_rows, settings.catalogs)))

    @cached_property
    def rows(self) -> frozenset[str]:
        """The names of open rows of a catalog."""
        folders = [folder.path for folder in self.settings.catalogs]
        return frozenset(name for name in self.buffers if any(_row_file(path, name) for path in folders))

    def row_kind(self, name: str) -> str:
        """The kind of the row in a file of a catalog, such as skus; "" for any other file."""
        folders = [*(folder.path for folder in self.settings.catalogs), os.path.relpath(gitgpus().path)]
        file = next(filter(None, (_row_file(path, name) for path in folders)), "")
        return file.partition("/")[0]

    @cached_property
    def config(self) -> str:
        """The name of the configuration; "" without one that comments and entries can be added to."""
        return FILE if is_file(FILE) or FILE in self.buffers else ""

    @cached_property
    def _read(self) -> tuple[Mapping[str, Text], tuple[Diagnostic, ...]]:
        """The texts of the fleet by name, and the faults of those that could not be read."""
        texts, faults = read_spec(self.settings.paths, self.settings.target)
        by_name = {text.name: text for text in texts}
        unread_faults = [fault for fault in faults if fault.span.file not in self.buffers]
        for name, content in self.buffers.items():
            if name in by_name or self._is_below_fleet(name):
                text = _decoded(name, content)
                by_name.pop(name, None)
                if isinstance(text, Diagnostic):
                    unread_faults.append(text)
                else:
                    by_name[name] = text
        return dict(sorted(by_name.items())), tuple(unread_faults)

    @property
    def fleet_texts(self) -> Mapping[str, str]:
        """The texts of the fleet, by name."""
        texts, _ = self._read
        return {name: text.content for name, text in texts.items()}

    @cached_property
    def texts(self) -> Mapping[str, str]:
        """The texts that findings can be about, as far as they are known: those of the fleet, and open files."""
        return {**self.fleet_texts, **self.buffers}

    @cached_property
    def checked_fleet(self) -> CheckedFleet:
        """The fleet, checked."""
        texts, _ = self._read
        return check_fleet(link_fleet(tuple(texts.values()), self.settings.fleet), self.settings.policy)

    @property
    def is_whole(self) -> bool:
        """Whether every text of the fleet can be read."""
        _, unread = self._read
        found = self.checked_fleet.diagnostics
        return not unread and not any(finding.code.startswith(_UNREADABLE) for finding in found)

    @cached_property
    def findings(self) -> tuple[Diagnostic, ...]:
        """Every finding in the fleet, the configuration, the catalog and the open manifests."""
        found = [*self._of_configurations(), *self._of_rows(), *self._of_strangers(), *self._of_manifests()]
        texts, unread = self._read
        if texts or unread:
            fleet_findings = [*unread, *self.settings.faults, *self.checked_fleet.diagnostics]
            # What a document is called may be in the part of a text that cannot be read while a user types there.
            unknown = any(fault.code.startswith(_UNREADABLE) for fault in fleet_findings)
            found += [fault for fault in fleet_findings if not (unknown and fault.code.startswith(_NAMES))]
        return in_order(fault for fault in found if fault.code != _NO_FLEET)

    def _of_configurations(self) -> Iterator[Diagnostic]:
        for name, content in self.buffers.items():
            if os.path.basename(name) == FILE:
                _, faults = config_of(name, content)
                yield from faults

    def _of_rows(self) -> Iterator[Diagnostic]:
        """The faults of open rows of gitgpu's own catalog. Those of the user's catalogs are findings in the fleet."""
        own = os.path.relpath(gitgpus().path)
        for name, content in self.buffers.items():
            file = _row_file(own, name)
            if file:
                documents, faults = parse_row(Text(name, content, name))
                yield from faults
                if len(documents) == 1:
                    yield from row_faults(file.partition("/")[0], documents[0])

    def _of_strangers(self) -> Iterator[Diagnostic]:
        """The findings in open fleet documents that the fleet of this root does not have.

        With a Fleet document, they are a fleet of their own. Without one, only their shape is checked, because the
        names in them are unknown.
        """
        for name in self._strangers:
            text = _decoded(name, self.buffers[name])
            if isinstance(text, Diagnostic):
                yield text
                continue
            documents, faults = shape([text])
            whole = any(document.kind == "Fleet" for document in documents)
            policy = self.settings.policy._replace(whole=False)
            linked = link_fleet([text], self.settings.fleet)
            yield from check_fleet(linked, policy).diagnostics if whole else faults

    @cached_property
    def _strangers(self) -> tuple[str, ...]:
        known = self._read[0].keys() | self.rows
        return tuple(
            name
            for name, content in self.buffers.items()
            if name not in known and API_VERSION in content and any(f"kind: {kind}" in content for kind in KINDS)
        )

    @cached_property
    def manifests(self) -> tuple[str, ...]:
        """The names of open files that are neither of the fleet, nor the configuration, nor rows of a catalog."""
        others = {*self._read[0], *self.rows, *self._strangers}
        own = os.path.relpath(gitgpus().path)
        return tuple(
            name
            for name in self.buffers
            if name not in others
            and name.endswith(SUFFIXES)
            and os.path.basename(name) != FILE
            and not self._is_below_fleet(name)
            and not _row_file(own, name)
        )

    def _of_manifests(self) -> Iterator[Diagnostic]:
        """The findings in open manifests, which are checked together with the files next to them."""
        if not self.manifests:
            return
        settings = settings_without_fleet(self.manifests, unsaved=self.buffers).judging(_lint_codes, whole=False)
        near = {os.path.join(os.path.dirname(name), file) for name in self.manifests for file in _neighbours(name)}
        texts, faults = with_notes(self.manifests, *read_paths(sorted(near - self.buffers.keys())))
        faults = [fault for fault in faults if fault.severity is Severity.ERROR]
        for name in self.manifests:
            text = _decoded(name, self.buffers[name])
            (faults if isinstance(text, Diagnostic) else texts).append(text)  # type: ignore[arg-type]
        inputs, unread = read_inputs(settings, frozenset())
        found, _ = lint_files(read_manifests(texts, frozenset()), inputs)
        reported = [*found, *faults, *unread, *settings.faults]
        yield from (finding for finding in reported if finding.span.file in self.manifests)

    def _with_rows(self, folder: Folder) -> Folder:
        """A catalog with its open rows as they are in the editor."""
        rows: dict[str, str] = {}
        for name, content in self.buffers.items():
            file = _row_file(folder.path, name)
            if file:
                rows[file] = content or "\n"
        return with_texts(folder, rows) if rows else folder

    def _is_below_fleet(self, name: str) -> bool:
        """Whether a file would be read with the fleet once it is saved."""
        real = os.path.realpath(name)
        skipped = any(real.startswith(f"{path}{os.sep}") for path in self.settings.target.skipped)
        hidden = any(part.startswith(".") for part in name.split(os.sep))
        if skipped or hidden or not name.endswith(SUFFIXES):
            return False
        return any(name == path or name.startswith(f"{os.path.normpath(path)}{os.sep}") for path in self.settings.paths)


def _lint_codes() -> frozenset[str]:
    return object_codes().union(CODES)


def _row_file(folder: str, name: str) -> str:
    """The path of a row below the directory of a catalog, or ""."""
    inside = os.path.relpath(name, folder).replace(os.sep, "/")
    kind, _, file = inside.partition("/")
    return inside if kind != ".." and file.endswith(SUFFIX) and "/" not in file else ""


def _neighbours(name: str) -> Iterable[str]:
    """The files in the directory of a manifest."""
    names = (file for file in listing(os.path.dirname(name) or os.curdir) if file.endswith(SUFFIXES))
    return islice((file for file in names if not file.startswith(".")), MAX_BESIDE)


def _decoded(name: str, content: str) -> Text | Diagnostic:
    """A text as if it had been read from a file."""
    return decode(name, content.encode(errors="replace"), os.path.basename(name))

"""The files that are open in an editor, and the projects that they belong to."""

import os
import re
from collections.abc import Callable, Iterator
from contextlib import chdir, contextmanager
from typing import NamedTuple

from lsprotocol.types import PositionEncodingKind
from pygls.uris import from_fs_path, to_fs_path

from gitgpu.cli.lsp.project import Project
from gitgpu.editor.context import CONFIG, Context, kind_field, row_field
from gitgpu.editor.files import Files
from gitgpu.load.allowed_paths import work_tree
from gitgpu.load.configuration.content import FILE
from gitgpu.load.configuration.files import DEFAULT_FLEETS, configs_above
from gitgpu.model.catalog import Catalog, catalog
from gitgpu.model.inputs import Inputs
from gitgpu.objects.manifest.manifests import NO_MANIFESTS
from gitgpu.runs.simulate import Assumptions, of_fleet
from gitgpu.simulate.forecast import Forecast

_SURROGATE = re.compile("[\ud800-\udfff]")
_NOTHING = Assumptions({}, {}, "", "")
MAX_CHARACTERS = 4_000_000  # of a file that is checked while a user types in it: about a second


class Open(NamedTuple):
    """An open file: its URI as the editor writes it, its path, and its text."""

    uri: str
    path: str
    content: str


class Session:
    """Open files by path, and the projects of their roots, each until one of its files changes.

    `inputs` has the last fleet of each root that could be linked: while a user types, most texts cannot.
    """

    def __init__(self) -> None:
        self.encoding: str = PositionEncodingKind.Utf16
        self.folders: list[str] = []
        self.written: dict[str, str] = {}  # the paths of folders as the editor writes them, by their real paths
        self.files: dict[str, Open] = {}
        self.projects: dict[str, Project] = {}
        self.inputs: dict[str, Inputs] = {}
        self.notes: list[str] = []  # what to show to the user
        self.catalog: Catalog = catalog(())  # the one of the last answer
        self._forecasts: tuple[Inputs | None, dict[str, Forecast]] = (None, {})

    def add_folder(self, uri: str) -> None:
        """Adds a folder of the editor."""
        path = path_of(uri)
        if path:
            real = os.path.realpath(path)
            self.folders.append(real)
            self.written[real] = os.path.normpath(to_fs_path(uri) or real)

    def remove_folder(self, uri: str) -> None:
        """Removes a folder of the editor."""
        real = os.path.realpath(path_of(uri))
        self.folders = [folder for folder in self.folders if folder != real]

    def open(self, uri: str, content: str) -> str:
        """Keeps the text of an open file. Returns the root of its project; "" if it is not a file or too large."""
        path = path_of(uri)
        if not path or len(content) > MAX_CHARACTERS:
            self.files.pop(path, None)
            return self.forget(path)
        # No file can contain half of a surrogate pair; it counts as one character of any kind.
        self.files[path] = Open(uri, path, _SURROGATE.sub("\ufffd", content.removeprefix("\ufeff")))
        return self.forget(path)

    def close(self, uri: str) -> str:
        """Forgets the text of a file: from now on, the one on disk counts. Returns the root of its project."""
        path = path_of(uri)
        self.files.pop(path, None)
        return self.forget(path)

    def forget(self, path: str) -> str:
        """Reads the project of a path again when it is needed next. Returns its root."""
        root = self.root_of(path) if path else ""
        self.projects.pop(root, None)
        return root

    def root_of(self, path: str) -> str:
        """The root of the project of a file.

        The directory of the nearest configuration, or of the nearest fleet; else the folder of the editor, or the
        directory of the file.
        """
        folder = next((folder for folder in self.folders if _is_below(path, folder)), "")
        config = next(configs_above(path), None)
        if config:
            return os.path.dirname(os.path.abspath(config))
        existing = os.path.dirname(path)
        while not os.path.isdir(existing):
            existing = os.path.dirname(existing)
        directory, top = existing, folder or work_tree(existing)
        while top and _is_below(directory, top):
            if any(os.path.exists(os.path.join(directory, name)) for name in DEFAULT_FLEETS):
                return directory
            directory = os.path.dirname(directory)
        return folder or existing

    @contextmanager
    def project(self, root: str) -> Iterator[Project]:
        """The project of a root, which is the current directory meanwhile."""
        with chdir(root):
            if root not in self.projects:
                buffers = {os.path.relpath(each.path, root): each.content for each in self._below(root)}
                self.projects[root] = Project(root, buffers)
            yield self.projects[root]

    def check(self, root: str) -> None:
        """Remembers the fleet of a root if it can be linked, and if all of it can be read, unless none was before."""
        with self.project(root) as project:
            if project.fleet_texts and project.checked_fleet.inputs and (project.is_whole or root not in self.inputs):
                self.inputs[root] = project.checked_fleet.inputs

    def view(self, root: str, project: Project) -> Files:
        """The texts of a project, as answers need them."""
        return Files(project.texts, lambda name: self.uri(os.path.join(root, name)), self.encoding)

    def context(self, root: str, file: str) -> Context:
        """What answers about a file need."""
        project, inputs = self.projects[root], self.inputs.get(root)
        usable = () if project.settings.faults else project.settings.catalogs
        configured = inputs.catalog if inputs else catalog(usable)
        # With a broken row, gitgpu's own rows are still known.
        self.catalog = catalog(()) if configured.files.faults else configured
        row = project.row_kind(file) if file else ""
        whole = kind_field(CONFIG) if os.path.basename(file) == FILE else row_field(row) if row else None
        return Context(self.view(root, project), file, self.catalog, inputs, whole)

    def roots(self) -> list[str]:
        """The roots of the open files, and of the folders of the editor."""
        return sorted({*map(self.root_of, self.files), *filter(os.path.isdir, self.folders)})

    def forecast(self, inputs: Inputs) -> Callable[[str], Forecast]:
        """The forecasts of the clusters of a fleet, each computed once while the fleet is the same."""
        known, forecasts = self._forecasts
        if known is not inputs:
            forecasts = {}
            self._forecasts = (inputs, forecasts)

        def forecast(cluster: str) -> Forecast:
            if cluster not in forecasts:
                [forecasts[cluster]] = of_fleet(inputs, inputs.clusters_named([cluster]), NO_MANIFESTS, _NOTHING)
            return forecasts[cluster]

        return forecast

    def uri(self, path: str) -> str:
        """The URI of a path: as the editor writes it, if the file is open."""
        normal = os.path.normpath(path)
        known = self.files.get(normal)
        if known:
            return known.uri
        for real, written in self.written.items():
            if _is_below(normal, real):
                normal = written + normal[len(real) :]
                break
        return from_fs_path(normal) or ""

    def _below(self, root: str) -> Iterator[Open]:
        for each in self.files.values():
            if _is_below(each.path, root) and self.root_of(each.path) == root:
                yield each


def path_of(uri: str) -> str:
    """The path of a file, with links to its directory resolved; "" for any other URI."""
    try:
        path = to_fs_path(uri) if uri.startswith("file:") else None
    except ValueError:
        path = None
    if not path or "\0" in path:
        return ""
    folder, name = os.path.split(os.path.abspath(path))
    return os.path.join(os.path.realpath(folder), name)


def _is_below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)

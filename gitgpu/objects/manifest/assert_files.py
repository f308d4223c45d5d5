"""Tests of operators: files that Chainsaw and KUTTL only compare with, so that they can contain parts of objects."""

import posixpath
import re
from collections.abc import Container, Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from itertools import chain
from typing import Any, NamedTuple

from gitgpu.model.names.prefixes import CHAINSAW_PREFIX
from gitgpu.objects.delivery.tree import above
from gitgpu.objects.loaded import Loaded, ManifestFile
from gitgpu.source import Span

# Both tools find files by name, such as chainsaw-assert.yaml, 01-assert.yaml and 01-errors.yaml.
_NAMED = re.compile(r"(?:^|[-_.])asserts?(?:[-_.].*)?\.ya?ml$|^\d+-errors?(?:-.*)?\.ya?ml$")
_KUTTL = "kuttl.dev/"
_COMPARED = ("assert", "error", "patch")  # operations of Chainsaw with files that can contain parts of objects


def without_asserts(files: Mapping[str, ManifestFile], named: Container[str] | None) -> dict[str, ManifestFile]:
    """The manifest files, without the objects that tests only compare with, unless the file is named explicitly."""
    tests = _tests(files)
    passed: dict[str, ManifestFile] = {}
    for file, read in files.items():
        if named is not None and file not in named and tests.is_assert(file, read.objects):
            first = read.objects[0].places.span() if read.objects else Span(file, 1, 1)
            passed[file] = ManifestFile((), (first,), ())
    return {**files, **passed}


class _Tests(NamedTuple):
    """The folders of Chainsaw tests, and the patterns of the files that these compare with."""

    folders: frozenset[str]
    compared: tuple[str, ...]

    def is_assert(self, file: str, objects: tuple[Loaded, ...]) -> bool:
        """Whether a file contains objects that tests only compare with."""
        if _NAMED.search(posixpath.basename(file)) or any(fnmatchcase(file, pattern) for pattern in self.compared):
            return True
        kinds = [loaded.body["kind"] for loaded in objects if loaded.body["apiVersion"].startswith(_KUTTL)]
        bound = self._has(file) and any(_binds(loaded.body.get("metadata")) for loaded in objects)
        return bound or "TestAssert" in kinds

    def _has(self, file: str) -> bool:
        return not self.folders.isdisjoint(above(file))


def _tests(files: Mapping[str, ManifestFile]) -> _Tests:
    folders: set[str] = set()
    compared: list[str] = []
    for loaded in chain.from_iterable(read.objects for read in files.values()):
        if loaded.body["apiVersion"].startswith(CHAINSAW_PREFIX):
            folder = posixpath.dirname(loaded.file)
            folders.add(folder)
            compared += [posixpath.join(folder, path) for path in _files(loaded.body)]
    return _Tests(frozenset(folders), tuple(compared))


def _files(value: Any) -> Iterator[str]:
    """The files that operations of a Chainsaw test compare with, as written in the test."""
    pairs: Iterable[tuple[Any, Any]] = ()
    if isinstance(value, dict):
        pairs = value.items()
    elif isinstance(value, list):
        pairs = enumerate(value)
    for key, item in pairs:
        if key in _COMPARED and isinstance(item, dict) and isinstance(item.get("file"), str):
            yield posixpath.normpath(item["file"])
        yield from _files(item)


def _binds(meta: Any) -> bool:
    """Whether it is a name that Chainsaw computes, such as ($namespace)."""
    return isinstance(meta, dict) and any(str(meta.get(key)).startswith("(") for key in ("name", "namespace"))

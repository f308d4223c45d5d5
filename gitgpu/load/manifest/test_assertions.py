"""Tests of operators: files that Chainsaw and KUTTL compare with, and never apply, contain parts of objects."""

import posixpath
import re
from collections.abc import Container, Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from typing import Any

from gitgpu.load.delivery.tree import above
from gitgpu.load.manifest.objects import Loaded, ManifestFile
from gitgpu.source import Span

# Both tools find files by name, such as chainsaw-assert.yaml, 01-assert.yaml and 01-errors.yaml.
_NAMED = re.compile(r"(?:^|[-_.])asserts?(?:[-_.].*)?\.ya?ml$|^\d+-errors?(?:-.*)?\.ya?ml$")
_KUTTL, _CHAINSAW = "kuttl.dev/", "chainsaw.kyverno.io/"
_COMPARED = ("assert", "error", "patch")  # the operations of chainsaw whose files hold parts


def without_asserts(files: Mapping[str, ManifestFile], named: Container[str] | None) -> dict[str, ManifestFile]:
    """The manifest files, without the objects that tests only compare with, unless the file is named explicitly."""
    every = [loaded for read in files.values() for loaded in read.objects]
    tests = [loaded for loaded in every if loaded.body["apiVersion"].startswith(_CHAINSAW)]
    folders = {posixpath.dirname(loaded.file) for loaded in tests}
    compared = [
        posixpath.join(posixpath.dirname(loaded.file), path) for loaded in tests for path in _files(loaded.body)
    ]

    def in_test(file: str) -> bool:
        return not folders.isdisjoint(above(file))

    def is_assert(file: str, objects: tuple[Loaded, ...]) -> bool:
        if _NAMED.search(posixpath.basename(file)) or any(fnmatchcase(file, pattern) for pattern in compared):
            return True
        kinds = [loaded.body["kind"] for loaded in objects if loaded.body["apiVersion"].startswith(_KUTTL)]
        bound = in_test(file) and any(_binds(loaded.body.get("metadata")) for loaded in objects)
        return bound or "TestAssert" in kinds

    passed: dict[str, ManifestFile] = {}
    for file, read in files.items():
        if named is not None and file not in named and is_assert(file, read.objects):
            first = read.objects[0].places.span() if read.objects else Span(file, 1, 1)
            passed[file] = ManifestFile((), (first,), ())
    return {**files, **passed}


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
    """Is it a name that Chainsaw computes, such as ($namespace)?"""
    return isinstance(meta, dict) and any(str(meta.get(key)).startswith("(") for key in ("name", "namespace"))

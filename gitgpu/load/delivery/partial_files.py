"""Files that may contain incomplete objects: patches that no kustomization names, and files that one patches."""

import posixpath
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from gitgpu.load.delivery.kustomize import Kustomization, group
from gitgpu.load.manifest.objects import Loaded, ManifestFile

_NAMED = re.compile(r"(?:^|[-_./])patch(?:es)?(?:[-_./]|$)")
_DIRECTIVES = ("$patch", "$retainKeys", "$setElementOrder/", "$deleteFromPrimitiveList/")  # of strategic merge patches
_COMPLETING = (
    "commonLabels", "components", "labels", "patches", "patchesJson6902", "patchesStrategicMerge", "replacements",
    "transformers",
)  # fmt: skip


class Incomplete(NamedTuple):
    """Files beside kustomizations that none of them names, and files that a kustomization names and patches."""

    unlisted: frozenset[str]
    completed: frozenset[str]


def incomplete(known: Mapping[str, Kustomization], files: Mapping[str, ManifestFile]) -> Incomplete:
    """The files that may contain parts of objects, according to the kustomizations."""
    folders = {posixpath.dirname(file) for file in known}
    listed = {use.path for kustomization in known.values() for use in kustomization.uses}
    adding = (
        kustomization for kustomization in known.values() if any(kustomization.data.get(key) for key in _COMPLETING)
    )
    completed = frozenset(part.file for kustomization in adding for part in group(kustomization, known).parts)
    loose = (file for file in files if file not in listed and not folders.isdisjoint(_above(file)))
    return Incomplete(frozenset(loose) | _in_tests(files), completed)


def _in_tests(files: Mapping[str, ManifestFile]) -> frozenset[str]:
    """Files of a Chainsaw test: it may apply part of an object that exists."""
    tests = {file for file, read in files.items() if any(map(_is_test, read.objects))}
    folders = {posixpath.dirname(file) for file in tests}
    return frozenset(file for file in files if file not in tests and not folders.isdisjoint(_above(file)))


def _is_test(loaded: Loaded) -> bool:
    return str(loaded.body["apiVersion"]).startswith("chainsaw.kyverno.io/")


def is_patch(file: str, body: Mapping[str, Any]) -> bool:
    """Does an object, or its file name, look like a patch?"""
    return bool(_NAMED.search(file.lower())) or _directed(body)


def _above(file: str) -> Iterator[str]:
    """The folders that a file is in, the nearest first; of a relative path the last one is ""."""
    folder = posixpath.dirname(file)
    yield folder
    while folder not in ("", "/"):
        folder = posixpath.dirname(folder)
        yield folder


def _directed(value: Any) -> bool:
    if isinstance(value, dict):
        return any(str(key).startswith(_DIRECTIVES) or _directed(item) for key, item in value.items())
    return isinstance(value, list) and any(map(_directed, value))

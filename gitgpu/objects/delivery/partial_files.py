"""Files that may contain incomplete objects: patches that no kustomization names, and files that are patched."""

import posixpath
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from gitgpu.model.names.prefixes import CHAINSAW_PREFIX
from gitgpu.objects.delivery.kustomize import Kustomization, inclusions
from gitgpu.objects.delivery.tree import above
from gitgpu.objects.loaded import Loaded, ManifestFile

# A file named as a patch: patch-replicas.yaml, gpu_patch.yaml, patches/limits.yaml.
_NAMED = re.compile(r"(?:^|[-_./])patch(?:es)?(?:[-_./]|$)")
# Pods that Spark and Flink complete: driver-pod-template.yaml, executor_podtemplate.yaml.
_POD_TEMPLATE = re.compile(r"pod[-_]?template[^/]*\Z")
_DIRECTIVES = ("$patch", "$retainKeys", "$setElementOrder/", "$deleteFromPrimitiveList/")  # of strategic merge patches
_COMPLETING = (
    "commonLabels", "components", "labels", "patches", "patchesJson6902", "patchesStrategicMerge", "replacements",
    "transformers",
)  # fmt: skip


class Incomplete(NamedTuple):
    """Files next to kustomizations that none of them names, and files that a kustomization includes and patches.

    `listed` are the files that kustomizations name.
    """

    unlisted: frozenset[str]
    completed: frozenset[str]
    listed: frozenset[str] = frozenset()

    def roles(self, file: str) -> tuple[bool, ...]:
        """Everything about a file that determines how its objects are checked."""
        return file in self.unlisted, file in self.completed, file in self.listed, _is_named_patch(file)


def incomplete(kustomizations: Mapping[str, Kustomization], files: Mapping[str, ManifestFile]) -> Incomplete:
    """The files that may contain incomplete objects, according to the kustomizations."""
    folders = {posixpath.dirname(file) for file in kustomizations}
    listed: set[str] = set()
    completed: set[str] = set()
    for kustomization in kustomizations.values():
        listed.update(use.path for use in kustomization.uses)
        if any(kustomization.data.get(key) for key in _COMPLETING):
            completed.update(part.file for part in inclusions(kustomization, kustomizations).parts)
    loose = (file for file in _below(folders, files) if file not in listed)
    return Incomplete(frozenset(loose) | _test_files(files), frozenset(completed), frozenset(listed))


def _test_files(files: Mapping[str, ManifestFile]) -> frozenset[str]:
    """The files of Chainsaw tests, which may apply a part of an existing object."""
    tests = {file for file, read in files.items() if any(map(_is_test, read.objects))}
    folders = {posixpath.dirname(file) for file in tests}
    return frozenset(file for file in _below(folders, files) if file not in tests)


def _below(folders: Collection[str], files: Iterable[str]) -> Iterator[str]:
    """The files in some folders or below them."""
    chosen = frozenset(folders)
    for file in files if chosen else ():
        if not chosen.isdisjoint(above(file)):
            yield file


def _is_test(loaded: Loaded) -> bool:
    return str(loaded.body["apiVersion"]).startswith(CHAINSAW_PREFIX)


def is_patch(file: str, body: Mapping[str, Any]) -> bool:
    """Whether an object, or its file name, looks like a patch."""
    return _is_named_patch(file) or _directed(body)


def _is_named_patch(file: str) -> bool:
    name = file.lower()
    return bool(_NAMED.search(name) or _POD_TEMPLATE.search(name))


def _directed(value: Any) -> bool:
    if isinstance(value, dict):
        return any(str(key).startswith(_DIRECTIVES) or _directed(item) for key, item in value.items())
    return isinstance(value, list) and any(map(_directed, value))

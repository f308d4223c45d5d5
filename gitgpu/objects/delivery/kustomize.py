"""Which files belong together, according to kustomizations, without running Kustomize."""

import posixpath
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any, NamedTuple

from gitgpu.access import list_at
from gitgpu.objects.delivery.kustomization_names import FILES
from gitgpu.objects.delivery.patches import Change, changes
from gitgpu.objects.delivery.substitution import Fill
from gitgpu.source import Pointer, SourceMap

_PLAIN = ("resources", "components", "bases")
_PATCHES = ("patchesStrategicMerge",)
_BY_PATH = ("patches", "patchesJson6902", "replacements")
_RENAMING = ("namePrefix", "nameSuffix", "transformers")
# What only URLs, inline patches (line breaks) and templates contain.
_ELSEWHERE = ("://", "\n", "?ref=", "github.com", "git@", "{{", "${")
CHARTS = "helmCharts"
_GENERATED = {"configMapGenerator": "ConfigMap", "secretGenerator": "Secret"}
ANY = ("*", "*")


class Use(NamedTuple):
    """A file or directory that a kustomization names, the place of that name, and whether it is a patch.

    `rooted` is true for an absolute path.
    """

    path: str
    pointer: Pointer
    patch: bool
    rooted: bool = False


class Kustomization(NamedTuple):
    """A kustomization: its file, data and places, and the files that it names, relative to the same root as its own.

    `changes` are its patches and images; `with_patch_files` adds those in files. `unread` are the keys with patches
    that were not read.
    """

    file: str
    data: Mapping[str, Any]
    places: SourceMap
    uses: tuple[Use, ...]
    changes: tuple[Change, ...] = ()
    unread: frozenset[str] = frozenset()

    @property
    def namespace(self) -> str:
        """The namespace that it sets on its objects, or ""."""
        value = self.data.get("namespace")
        return value if isinstance(value, str) else ""


class By(NamedTuple):
    """The Flux Kustomization or Argo CD Application that applies something, and the variables that it substitutes."""

    name: str
    fill: Fill | None = None


class Part(NamedTuple):
    """A file in a group. `namespace` is the one that a kustomization sets on its objects.

    `fallback` is the namespace of objects without one. `by` is what applies the file, if known. `renamed` has the names
    of kustomizations that may rename or delete its objects. `changes` are the patches and images of kustomizations and
    Flux that apply to the file.
    """

    file: str
    patch: bool = False
    namespace: str = ""
    fallback: str = ""
    by: By | None = None
    renamed: str = ""
    changes: tuple[Change, ...] = ()


def kustomization(file: str, data: Any, places: SourceMap) -> Kustomization:
    """The kustomization in a file. Entries of the wrong shape and remote resources are ignored."""
    return Kustomization(file, data, places, tuple(_uses(posixpath.dirname(file), data)), changes(data))


class Included(NamedTuple):
    """What a kustomization includes: files, and the files of the kustomizations among them."""

    parts: list[Part]
    kustomizations: list[str]


def inclusions(root: Kustomization, kustomizations: Mapping[str, Kustomization], namespace: str = "") -> Included:
    """Everything that a kustomization includes, directly or through others. Each file is listed once per namespace."""
    seen: set[tuple[str, str]] = set()  # two overlays can put the same file into two namespaces
    included = Included([], [])
    waiting: list[tuple[Kustomization, str, str, tuple[Change, ...]]] = [(root, namespace, "", ())]
    while waiting:
        kustomization, outer, renamed, change = waiting.pop()
        namespace = outer or kustomization.namespace
        if (kustomization.file, namespace) in seen:
            continue
        seen.add((kustomization.file, namespace))
        included.kustomizations.append(kustomization.file)
        renamed += f"{kustomization.file}\n" if renames(kustomization.data) else ""
        change = (*_changes(kustomization, kustomizations), *change)  # the inner ones come first
        for use in kustomization.uses:
            inner = below(use.path, kustomizations)
            if inner:
                waiting.append((inner, namespace, renamed, change))
            elif (use.path, namespace) not in seen:
                seen.add((use.path, namespace))
                included.parts.append(Part(use.path, use.patch, namespace, renamed=renamed, changes=change))
    return included


def _changes(kustomization: Kustomization, kustomizations: Mapping[str, Kustomization]) -> Iterator[Change]:
    """The changes of a kustomization to all files that it includes, and the changes of its components."""
    for use in kustomization.uses:
        inner = below(use.path, kustomizations) if use.pointer[:1] == ("components",) else None
        if inner:
            yield from inner.changes
    if kustomization.data.get("kind") != "Component":
        yield from kustomization.changes


def renames(data: Any) -> bool:
    """Whether a kustomization, or the same keys of a Flux or Argo CD object, can rename or delete objects."""
    if not isinstance(data, Mapping):
        return False
    if any(data.get(key) for key in _RENAMING):
        return True
    patches = chain.from_iterable(list_at(data, key) for key in (*_PATCHES, "patches", "patchesJson6902"))
    return any(map(_may_rename, patches))


def _may_rename(patch: Any) -> bool:
    """Whether a patch may rename or delete objects. Here, the content of a patch in a file is not known."""
    text = patch.get("patch") if isinstance(patch, dict) else patch
    if not isinstance(text, str) or "\n" not in text:
        return True
    return any(mark in text for mark in ("/metadata", "$patch"))


def unread_kinds(kustomization: Kustomization) -> frozenset[tuple[str, str]]:
    """The kinds, as (group, kind), of objects that a kustomization adds without a file. ANY stands for any kind."""
    data = kustomization.data
    paths = chain.from_iterable(list_at(data, key) for key in _PLAIN)
    remote = any(isinstance(path, str) and not _is_local(path) for path in paths)
    if remote or any(data.get(key) for key in ("generators", CHARTS, "helmChartInflationGenerator")):
        return frozenset({ANY})
    return frozenset(("", kind) for key, kind in _GENERATED.items() if data.get(key))


def below(path: str, kustomizations: Mapping[str, Kustomization]) -> Kustomization | None:
    """The kustomization of a directory, or None."""
    for file in FILES:
        name = posixpath.join(path, file)
        if name in kustomizations:
            return kustomizations[name]
    return None


def roots(kustomizations: Mapping[str, Kustomization]) -> list[Kustomization]:
    """The kustomizations that no other one names."""
    named: set[str] = set()
    for kustomization in kustomizations.values():
        targets = (below(use.path, kustomizations) for use in kustomization.uses)
        named.update(inner.file for inner in targets if inner)
    return [kustomization for file, kustomization in sorted(kustomizations.items()) if file not in named]


def _uses(folder: str, data: Any) -> Iterator[Use]:
    if not isinstance(data, dict):
        return
    for key in (*_PLAIN, *_PATCHES):
        for index, path in enumerate(list_at(data, key)):
            if _is_local(path):
                yield _use(folder, path, (key, index), patch=key in _PATCHES)
    for key in _BY_PATH:
        for index, entry in enumerate(list_at(data, key)):
            path = entry.get("path") if isinstance(entry, dict) else None
            if _is_local(path):
                yield _use(folder, str(path), (key, index, "path"), patch=True)


def _use(folder: str, path: str, pointer: Pointer, *, patch: bool) -> Use:
    whole = posixpath.normpath(posixpath.join(folder, path))
    return Use(whole, pointer, patch, posixpath.isabs(path))


def _is_local(path: Any) -> bool:
    """Whether it is a path, rather than a URL, an inline patch or a template."""
    return isinstance(path, str) and not any(mark in path for mark in _ELSEWHERE)

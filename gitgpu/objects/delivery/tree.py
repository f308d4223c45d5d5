"""The files of a lint run as a tree of directories, to resolve paths that are relative to a repository root."""

import posixpath
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain
from typing import NamedTuple, TypeAlias

from gitgpu.load.text import Text
from gitgpu.objects.delivery.kustomize import Included, Kustomization, Part, below, inclusions, unread_kinds
from gitgpu.objects.loaded import Loaded

Files: TypeAlias = Mapping[str, Sequence[Loaded]]
# The files that Flux adds to the kustomization that it generates for a plain directory (fluxcd/pkg,
# kustomize_generator.go).
_TYPES = (".yaml", ".yml")
_CHART = "Chart.yaml"


class Claim(NamedTuple):
    """A path in a file, relative to the root of the repository."""

    file: str
    path: str


@dataclass(frozen=True, slots=True)
class Tree:
    """The files with their objects, the kustomizations, and the entries of each directory (`inside`).

    `votes` counts, for each directory, the claims whose path exists if that directory is the root of the repository.
    `prefixes` counts the same for prefixes of paths, if the root is above the files that were read. `top` is the common
    directory of all files. `applied` caches the results of `everything`: many objects apply the same directory.
    """

    files: Files
    kustomizations: Mapping[str, Kustomization]
    inside: Mapping[str, Sequence[str]]
    texts: Mapping[str, Text] = field(default_factory=dict)
    votes: Counter[str] = field(default_factory=Counter)
    prefixes: Counter[str] = field(default_factory=Counter)
    top: str = ""
    applied: dict[str, Included] = field(default_factory=dict)

    def objects(self) -> Iterator[Loaded]:
        """The objects of all files."""
        for objects in self.files.values():
            yield from objects

    def claim(self, claims: Iterable[Claim]) -> None:
        """Count for which directories as the root of the repository the paths exist."""
        cleaned = [Claim(claim.file, clean(claim.path)) for claim in claims]
        placed_claims = [claim for claim in cleaned if claim.path]  # an empty path exists for every root
        for claim in placed_claims:
            self.votes.update(root for root in above(claim.file) if self._has(root, claim.path))
        if not self.votes:
            for claim in placed_claims:
                self.prefixes.update(prefix for prefix, rest in _splits(claim.path) if rest in self.inside)

    def find(self, file: str, path: str) -> str | None:
        """The directory that a path in `file` refers to; None if it is not in the tree."""
        path = clean(path)
        roots = [root for root in above(file) if self._has(root, path)]
        if not path:  # the root of the repository: only other paths show where it is
            roots = [root for root in roots if self.votes[root]]
            if not roots:
                return None if self.prefixes else self.top
        if roots:
            return _joined(min(roots, key=lambda root: (-self.votes[root], len(root))), path)
        inside = {prefix: rest for prefix, rest in _splits(path) if self.prefixes[prefix] and rest in self.inside}
        if not inside:
            return None
        return inside[min(inside, key=lambda prefix: (-self.prefixes[prefix], len(prefix)))]

    def under(self, folder: str) -> Iterator[str]:
        """A directory and its subdirectories, except those below a kustomization."""
        waiting = [folder]
        while waiting:
            text = waiting.pop()
            yield text
            if not below(text, self.kustomizations):
                waiting += [name for name in self.inside.get(text, ()) if name in self.inside]

    def every(self, folder: str) -> Iterator[str]:
        """A directory and all its subdirectories."""
        waiting = [folder]
        while waiting:
            text = waiting.pop()
            yield text
            waiting += [name for name in self.inside.get(text, ()) if name in self.inside]

    def at(self, folder: str) -> list[str]:
        """The files in a directory."""
        return [name for name in self.inside.get(folder, ()) if name in self.files]

    def is_chart(self, folder: str) -> bool:
        """Whether it is the directory of a Helm chart."""
        return posixpath.join(folder, _CHART) in self.files

    def _has(self, root: str, path: str) -> bool:
        return _joined(root, path) in self.inside


def _joined(root: str, path: str) -> str:
    return posixpath.join(root, path) if path else root  # `join` would append a slash


def tree_of(files: Files, kustomizations: Mapping[str, Kustomization], texts: Mapping[str, Text]) -> Tree:
    """The tree of some files; `texts` are their contents."""
    inside: dict[str, list[str]] = {}
    for name in sorted({*files, *kustomizations}):
        at = name
        while at not in ("", "/"):
            folder = posixpath.dirname(at)
            new = folder not in inside
            inside.setdefault(folder, []).append(at)
            if not new:  # its parents have been added too
                break
            at = folder
    return Tree(
        files, kustomizations, inside, texts, top=_top({posixpath.dirname(name) for name in (*files, *kustomizations)})
    )


def _top(folders: Collection[str]) -> str:
    if len(set(map(posixpath.isabs, folders))) != 1:  # no folders, or absolute and relative ones
        return ""
    return posixpath.commonpath(folders)


def above(file: str) -> tuple[str, ...]:
    """The parent directories of a file, nearest first. For a relative path, the last one is ""."""
    return _with_parents(posixpath.dirname(file))


@lru_cache(maxsize=4096)  # files share their directories
def _with_parents(folder: str) -> tuple[str, ...]:
    return (folder,) if folder in ("", "/") else (folder, *above(folder))


def clean(path: str) -> str:
    """A path as controllers normalise it, never outside the repository: `b` for `./a/../../b` and `/b`."""
    return posixpath.normpath(f"/{path}").strip("/")


def everything(folder: str, tree: Tree) -> Included:
    """What Flux applies for a directory: its kustomization, or else all YAML files below it."""
    if folder not in tree.applied:
        tree.applied[folder] = _everything(folder, tree)
    return tree.applied[folder]


def _everything(folder: str, tree: Tree) -> Included:
    root = below(folder, tree.kustomizations)
    if root:
        return inclusions(root, tree.kustomizations)
    included = Included([], [])
    for text in tree.under(folder):
        inner = below(text, tree.kustomizations)
        if inner and inner.data.get("kind") != "Component":
            more = inclusions(inner, tree.kustomizations)
            included.parts.extend(more.parts)
            included.kustomizations.extend(more.kustomizations)
        elif not inner:
            included.parts.extend(Part(name) for name in tree.at(text) if name.endswith(_TYPES))
    return included


def generated_kinds(names: Iterable[str], tree: Tree) -> frozenset[tuple[str, str]]:
    """The kinds of objects that kustomizations add without a file of the tree."""
    return frozenset(chain.from_iterable(unread_kinds(tree.kustomizations[name]) for name in names))


def _splits(path: str) -> Iterator[tuple[str, str]]:
    """Every way to split a path into a part above the tree and a part in it."""
    parts = path.split("/")
    return (("/".join(parts[:index]), "/".join(parts[index:])) for index in range(1, len(parts)))

"""What Argo CD applies: the files in the paths of an Application, if its source is the repository being linted."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from itertools import islice
from posixpath import basename, dirname, join, relpath
from typing import Any

from gitgpu.access import list_at, reach, text_at
from gitgpu.model.names.kinds import APPLICATION, group_kind
from gitgpu.objects.delivery.application_sets import Templated, applications, fixed_directory, repositories
from gitgpu.objects.delivery.application_sources import KINDS, sources_of, spec_place
from gitgpu.objects.delivery.applied import ELSEWHERE, Applied
from gitgpu.objects.delivery.controller import controller
from gitgpu.objects.delivery.kustomize import By, Included, Part, below, inclusions, renames
from gitgpu.objects.delivery.patches import application_changes
from gitgpu.objects.delivery.repository import address
from gitgpu.objects.delivery.tree import Claim, Tree, generated_kinds
from gitgpu.objects.loaded import Loaded

# How a destination names the cluster that Argo CD itself runs in.
_HERE = ("", "https://kubernetes.default.svc", "in-cluster")
_FILES = (".yaml", ".yml", ".json")  # what Argo CD reads in a plain directory (user-guide/directory)
_INNERMOST = re.compile(r"\{([^{}]*)\}")
_MOST = 1000  # alternatives of a pattern. A choice: each group multiplies them


@dataclass(frozen=True, slots=True)
class Argo:
    """What is known about the Applications of a tree: the URL of the repository being linted, or ""."""

    tree: Tree
    home: str


def argo(tree: Tree) -> Argo:
    """Read the Applications of a tree. Their paths show which directory is the root of the repository."""
    bodies = [loaded for loaded in tree.objects() if group_kind(loaded.body) in KINDS]
    named: list[tuple[str, str, str]] = []
    for body in bodies:
        named += [(body.file, url, fixed_directory(path)) for url, path in _named(body.body)]
    tree.claim(Claim(file, path) for file, _, path in named)
    seen = Counter(address(url) for file, url, path in named if path and tree.find(file, path) is not None)
    # A literal URL is preferred to a template, then the URL with the most existing paths.
    return Argo(tree, min(seen, key=lambda url: ("{{" in url, -seen[url], url), default=""))


def _named(body: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The repositories that an object refers to, each with a path in it."""
    sources = sources_of(reach(body, *spec_place(body)))
    for source in sources:
        yield text_at(source, "repoURL"), text_at(source, "path")
    urls = {text_at(source, "ref"): text_at(source, "repoURL") for source in sources}
    for source in sources:
        for name in list_at(source, "helm", "valueFiles"):
            reference, _, path = str(name).removeprefix("$").partition("/")
            if str(name).startswith("$") and reference in urls:
                yield urls[reference], dirname(path)
    yield from repositories(body)


def referenced_file(file: str, name: str, references: Mapping[str, dict[str, Any]], world: Argo) -> str:
    """The file of `$REF/PATH`, or "" if it is not in the tree; `references` are the sources with a `ref`."""
    reference, _, path = name.removeprefix("$").partition("/")
    source = references.get(reference, {})
    if not name.startswith("$") or "{{" in name or not _is_home(source, world):
        return ""
    folder = world.tree.find(file, dirname(path))
    return "" if folder is None else join(folder, basename(path))


def what_argo_applies(loaded: Loaded, body: dict[str, Any], world: Argo) -> Iterator[Applied]:
    """What an Application applies, or each Application that an ApplicationSet generates."""
    templated = [Templated(body)] if group_kind(body) == APPLICATION else applications(loaded.file, body, world.tree)
    for template in templated:
        spec = reach(template.body, "spec")
        cluster = text_at(spec, "destination", "server") or text_at(spec, "destination", "name")
        if "{{" in cluster:
            # An unknown cluster, which no other Application shares.
            cluster = f"{cluster} {text_at(template.body, 'metadata', 'name')} {loaded.file}"
        cluster = "" if cluster in _HERE else cluster
        if not template.whole or "{{" in cluster:
            yield Applied(beyond=ELSEWHERE, cluster=cluster)  # it also has objects that lint cannot see
        for source in sources_of(spec):
            if not text_at(source, "chart"):
                deployed = _source(loaded.file, source, spec, world)
                renamed = f"{controller(template.body)}\n" if renames(reach(source, "kustomize")) else ""
                parts = _changed(deployed.parts, source, By(controller(body)), renamed)
                yield deployed._replace(parts=parts, cluster=cluster)


def _changed(parts: Iterable[Part], source: Mapping[str, Any], by: By, renamed: str) -> tuple[Part, ...]:
    """The files with the changes that the Application makes to its kustomization."""
    change = application_changes(reach(source, "kustomize"))
    return tuple(
        part._replace(by=by, renamed=renamed + part.renamed, changes=(*part.changes, *change)) for part in parts
    )


def _source(file: str, source: dict[str, Any], spec: Any, world: Argo) -> Applied:
    path = text_at(source, "path")
    if not path and text_at(source, "ref"):
        return Applied()  # a source only for values files
    folder = world.tree.find(file, path) if "{{" not in path and _is_home(source, world) else None
    if folder is None or reach(source, "plugin") is not None or world.tree.is_chart(folder):
        return Applied(beyond=ELSEWHERE)
    # `directory` makes Argo CD ignore a kustomization in the path (ExplicitType in its types.go).
    root = None if reach(source, "directory") is not None else below(folder, world.tree.kustomizations)
    if root:
        included = inclusions(root, world.tree.kustomizations, text_at(source, "kustomize", "namespace"))
    else:
        included = _directory(folder, source, world.tree)
    fallback = text_at(spec, "destination", "namespace")
    fallback = "" if "{{" in fallback else fallback
    parts = tuple(part._replace(fallback=fallback) for part in included.parts)
    return Applied(parts, (folder, *included.kustomizations), generated_kinds(included.kustomizations, world.tree))


def _is_home(source: Mapping[str, Any], world: Argo) -> bool:
    url = text_at(source, "repoURL")
    if not world.home:
        return False
    return address(url) == world.home or ("{{" in url and fixed_directory(text_at(source, "path")) != "")


def _directory(folder: str, source: dict[str, Any], tree: Tree) -> Included:
    """The files of a plain directory; with `recurse` also of its subdirectories."""
    options = reach(source, "directory")
    folders = tree.every(folder) if reach(options, "recurse") is True else [folder]
    include, exclude = text_at(options, "include"), text_at(options, "exclude")
    included = Included([], [])
    for directory in folders:
        for name in tree.at(directory):
            if name.endswith(_FILES) and _takes(relpath(name, folder or "."), include, exclude):
                included.parts.append(Part(name))
    return included


def _takes(name: str, include: str, exclude: str) -> bool:
    return not _matches(name, exclude) and (not include or _matches(name, include))


def _matches(name: str, pattern: str) -> bool:
    return any(fnmatchcase(name, alternative) for alternative in islice(_alternatives(pattern), _MOST))


def _alternatives(pattern: str) -> Iterator[str]:
    """The alternatives in a pattern: `a*` and `b*` for `{a,b}*`. Groups can be nested."""
    waiting = [pattern]
    while waiting:
        pattern = waiting.pop()
        group = _INNERMOST.search(pattern)
        if group:
            start, end = pattern[: group.start()], pattern[group.end() :]
            waiting += [start + choice + end for choice in group[1].split(",")]
        else:
            yield pattern

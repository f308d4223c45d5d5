"""The Applications that an ApplicationSet makes: of directories and files of the repository, and of lists."""

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from itertools import islice, product
from typing import Any, NamedTuple

from gitgpu.load.access import inner, rows, words
from gitgpu.load.delivery.tree import Tree, clean
from gitgpu.load.parse.yaml import parse

_ACTION = re.compile(r"\{\{-?\s*\.?([\w.\-\[\]]+)\s*-?\}\}", re.ASCII)
_SEGMENT = re.compile(r"\{\{-?\s*index\s+\.path\.segments\s+(\d+)\s*-?\}\}", re.ASCII)
_MOST = 1000  # Applications of one set that are looked at


class Templated(NamedTuple):
    """An Application; `whole` says that no others are made than those of which lint knows."""

    body: dict[str, Any]
    whole: bool = True


class Rows(NamedTuple):
    """The parameters that a generator gives, one mapping for each Application, and whether these are all."""

    rows: list[dict[str, str]]
    whole: bool


def applications(file: str, body: dict[str, Any], tree: Tree) -> Iterator[Templated]:
    """The Applications of an ApplicationSet. What only a cluster can tell, such as its labels, stays a template."""
    template = inner(body, "spec", "template")
    for generator in rows(body, "spec", "generators"):
        found = _parameters(file, generator, tree)
        for row in found.rows or [{}]:
            made = _filled(template, row)
            made = made if isinstance(made, dict) else {}
            kind = {"apiVersion": body["apiVersion"], "kind": "Application"}
            yield Templated(kind | made, found.whole and len(found.rows) < _MOST)


def repositories(body: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The repositories in which generators look, each with a path; those of nested generators too."""
    waiting = rows(body, "spec", "generators")
    while waiting:
        row = waiting.pop()
        waiting += rows(row, "matrix", "generators")
        for entry in (*rows(row, "git", "directories"), *rows(row, "git", "files")):
            yield words(row, "git", "repoURL"), words(entry, "path")


def fixed(path: str) -> str:
    """The directory that a path with wildcards or template actions begins with."""
    whole = clean(path)
    sure = re.split(r"\{\{|[*?\[]", whole, maxsplit=1)[0]
    return sure if sure == whole else sure.rpartition("/")[0]


def _parameters(file: str, generator: dict[str, Any], tree: Tree) -> Rows:
    if generator.get("selector"):
        return _parameters(file, {**generator, "selector": None}, tree)._replace(whole=False)
    elements = inner(generator, "list", "elements")
    if isinstance(elements, list):
        given = [dict(_flat("", element)) for element in elements if isinstance(element, dict)]
        return Rows(given[:_MOST], not inner(generator, "list", "elementsYaml"))
    if isinstance(generator.get("git"), dict):
        return Rows(list(islice(_of_git(file, generator["git"], tree), _MOST)), whole=True)
    if isinstance(generator.get("matrix"), dict):
        parts = [_parameters(file, entry, tree) for entry in rows(generator, "matrix", "generators")]
        every = product(*(part.rows or [{}] for part in parts))
        joined = [{key: entry[key] for entry in each for key in entry} for each in islice(every, _MOST)]
        return Rows(joined, all(part.whole for part in parts))
    return Rows([], whole=True)  # as many as there are clusters, pull requests, ...: each makes what the template says


def _of_git(file: str, git: dict[str, Any], tree: Tree) -> Iterator[dict[str, str]]:
    root = tree.find(file, "")
    prefix = words(git, "pathParamPrefix")
    for folder in sorted(tree.inside) if root is not None and rows(git, "directories") else ():
        path = _below(folder, root or "")
        if path and _chosen(path, rows(git, "directories")):
            yield dict(_path(path, prefix))
    for name in sorted(tree.files) if root is not None and rows(git, "files") else ():
        path = _below(name, root or "")
        if path and _chosen(path, rows(git, "files")):
            yield {**_said(name, tree), **dict(_path(posixpath.dirname(path), prefix))}


def _below(path: str, root: str) -> str:
    if not root:
        return path
    return path.removeprefix(f"{root}/") if path.startswith(f"{root}/") else ""


def _chosen(path: str, patterns: Iterable[dict[str, Any]]) -> bool:
    fitting = [bool(pattern.get("exclude")) for pattern in patterns if _fits(path, clean(words(pattern, "path")))]
    return bool(fitting) and not any(fitting)


def _fits(path: str, pattern: str) -> bool:
    """Does a path fit a pattern, in which `*` is within one directory and `**` is any number of them?"""
    if "**" in pattern:
        return fnmatchcase(path, pattern.replace("**/", "*").replace("**", "*"))
    parts, wanted = path.split("/"), pattern.split("/")
    return len(parts) == len(wanted) and all(map(fnmatchcase, parts, wanted))


def _path(path: str, prefix: str) -> Iterator[tuple[str, str]]:
    name = f"{prefix}.path" if prefix else "path"
    base = posixpath.basename(path)
    plain = re.sub(r"[^a-z0-9\-.]", "-", base.lower())
    yield from ((name, path), (f"{name}.path", path))  # without and with goTemplate
    yield from ((f"{name}.basename", base), (f"{name}.basenameNormalized", plain))
    yield from ((f"{name}[{at}]", part) for at, part in enumerate(path.split("/")))


def _said(name: str, tree: Tree) -> dict[str, str]:
    """What a file of parameters says, by dotted keys."""
    documents, _ = parse(tree.texts[name]) if name in tree.texts else ((), ())
    return {key: value for document in documents for key, value in _flat("", document.data)}


def _flat(name: str, value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping):
        for key, entry in value.items():
            yield from _flat(f"{name}.{key}" if name else str(key), entry)
    elif isinstance(value, str | int | float) and not isinstance(value, bool):
        yield name, str(value)


def _filled(value: Any, given: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        text = _SEGMENT.sub(lambda found: given.get(f"path[{found[1]}]", found[0]), value)
        return _ACTION.sub(lambda found: given.get(found[1], found[0]), text)
    if isinstance(value, dict):
        return {key: _filled(entry, given) for key, entry in value.items()}
    return [_filled(entry, given) for entry in value] if isinstance(value, list) else value

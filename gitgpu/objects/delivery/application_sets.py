"""The Applications of an ApplicationSet: generated from directories and files of the repository, and from lists."""

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from itertools import islice, product
from typing import Any, NamedTuple

from gitgpu.access import reach, rows, text_at
from gitgpu.load.parse.yaml import parse
from gitgpu.model.names.kinds import APPLICATION
from gitgpu.objects.delivery.tree import Tree, clean

# {{name}}, {{path[0]}}, and {{ .name }} in Go templates.
_ACTION = re.compile(r"\{\{-?\s*\.?([\w.\-\[\]]+)\s*-?\}\}", re.ASCII)
# With goTemplate, `index` reads parts of a path; `path[0]` is the older syntax.
_SEGMENT = re.compile(r"\{\{-?\s*index\s+\.path\.segments\s+(\d+)\s*-?\}\}", re.ASCII)
_MAX_NAME_LENGTH = 253  # characters of the name of an object
_MAX_APPLICATIONS = 1000  # Applications of one set that are checked: a matrix multiplies its generators


class Templated(NamedTuple):
    """An Application. `whole` is true if the ApplicationSet generates no Applications that lint cannot see."""

    body: dict[str, Any]
    whole: bool = True


class Rows(NamedTuple):
    """The parameters of a generator, one mapping for each Application. `whole` is true if these are all of them."""

    rows: list[dict[str, str]]
    whole: bool


def applications(file: str, body: dict[str, Any], tree: Tree) -> Iterator[Templated]:
    """The Applications of an ApplicationSet. Parameters that are only known on a cluster stay templates."""
    template = reach(body, "spec", "template")
    for generator in rows(body, "spec", "generators"):
        parameters = _parameters(file, generator, tree)
        for row in parameters.rows or [{}]:
            application = {"apiVersion": body["apiVersion"], "kind": APPLICATION.kind}
            if isinstance(template, dict):
                application |= _substituted(template, row)
            yield Templated(application, parameters.whole and len(parameters.rows) < _MAX_APPLICATIONS)


def repositories(body: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The repositories that the generators read, each with a path, including those of nested generators."""
    waiting = rows(body, "spec", "generators")
    while waiting:
        row = waiting.pop()
        waiting += rows(row, "matrix", "generators")
        for entry in (*rows(row, "git", "directories"), *rows(row, "git", "files")):
            yield text_at(row, "git", "repoURL"), text_at(entry, "path")


def fixed_directory(path: str) -> str:
    """The directory before the first wildcard or template action in a path."""
    whole = clean(path)
    literal = re.split(r"\{\{|[*?\[]", whole)[0]
    return literal if literal == whole else literal.rpartition("/")[0]


def _parameters(file: str, generator: dict[str, Any], tree: Tree) -> Rows:
    if generator.get("selector"):
        return _parameters(file, {**generator, "selector": None}, tree)._replace(whole=False)
    elements = reach(generator, "list", "elements")
    if isinstance(elements, list):
        listed = [dict(_flat("", element)) for element in elements if isinstance(element, dict)]
        return Rows(listed[:_MAX_APPLICATIONS], not reach(generator, "list", "elementsYaml"))
    if isinstance(generator.get("git"), dict):
        return Rows(list(islice(_git_parameters(file, generator["git"], tree), _MAX_APPLICATIONS)), whole=True)
    if isinstance(generator.get("matrix"), dict):
        return _combined([_parameters(file, entry, tree) for entry in rows(generator, "matrix", "generators")])
    return Rows([], whole=True)  # one for each cluster, pull request, ...: all of them are like the template


def _combined(generators: Sequence[Rows]) -> Rows:
    """Every combination of the parameters of a matrix's generators."""
    combinations = product(*(generator.rows or [{}] for generator in generators))
    joined = [_joined(combination) for combination in islice(combinations, _MAX_APPLICATIONS)]
    return Rows(joined, all(generator.whole for generator in generators))


def _joined(parameters: Iterable[Mapping[str, str]]) -> dict[str, str]:
    combined: dict[str, str] = {}
    for parameter in parameters:
        combined |= parameter
    return combined


def _git_parameters(file: str, git: dict[str, Any], tree: Tree) -> Iterator[dict[str, str]]:
    root = tree.find(file, "")
    if root is None:  # the root is above the files that were read, and patterns start at the root
        return
    prefix = text_at(git, "pathParamPrefix")
    for path in _chosen(rows(git, "directories"), tree.inside, root):
        yield dict(_path(path, prefix))
    for path in _chosen(rows(git, "files"), tree.files, root):
        yield {**_file_parameters(posixpath.join(root, path), tree), **dict(_path(posixpath.dirname(path), prefix))}


def _chosen(patterns: Sequence[dict[str, Any]], names: Iterable[str], root: str) -> Iterator[str]:
    """The paths that the patterns choose, relative to the root of the repository."""
    below_root = posixpath.join(root, "")
    for name in sorted(names) if patterns else ():
        path = name.removeprefix(below_root)
        if path and name.startswith(below_root) and _is_chosen(path, patterns):
            yield path


def _is_chosen(path: str, patterns: Iterable[dict[str, Any]]) -> bool:
    # An exclusion has precedence, regardless of the order of the patterns (Generators-Git in the Argo CD docs).
    fitting = [bool(pattern.get("exclude")) for pattern in patterns if _fits(path, clean(text_at(pattern, "path")))]
    return bool(fitting) and not any(fitting)


def _fits(path: str, pattern: str) -> bool:
    """Whether the path matches the pattern. `*` matches inside one directory, and `**` any number of directories."""
    if "**" in pattern:
        # In fnmatch, `*` also matches slashes.
        return fnmatchcase(path, pattern.replace("**/", "*").replace("**", "*"))
    parts, pattern_parts = path.split("/"), pattern.split("/")
    return len(parts) == len(pattern_parts) and all(map(fnmatchcase, parts, pattern_parts))


def _path(path: str, prefix: str) -> Iterator[tuple[str, str]]:
    name = f"{prefix}.path" if prefix else "path"
    base = posixpath.basename(path)
    yield from ((name, path), (f"{name}.path", path))  # without and with goTemplate
    yield from ((f"{name}.basename", base), (f"{name}.basenameNormalized", _normalised(base)))
    for index, part in enumerate(path.split("/")):
        yield f"{name}[{index}]", part


def _normalised(name: str) -> str:
    """A name that Kubernetes accepts, as SanitizeName of Argo CD's applicationset/utils makes it."""
    return re.sub(r"[^a-z0-9\-.]", "-", name.lower())[:_MAX_NAME_LENGTH].strip("-.")


def _file_parameters(name: str, tree: Tree) -> dict[str, str]:
    """The parameters in a file, by dotted keys."""
    documents, _ = parse(tree.texts[name]) if name in tree.texts else ((), ())
    parameters: dict[str, str] = {}
    for document in documents:
        parameters.update(_flat("", document.data))
    return parameters


def _flat(name: str, value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, Mapping):
        for key, entry in value.items():
            yield from _flat(f"{name}.{key}" if name else str(key), entry)
    elif isinstance(value, str | int | float) and not isinstance(value, bool):
        yield name, str(value)


def _substituted(value: Any, parameters: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        text = _SEGMENT.sub(lambda match: parameters.get(f"path[{match[1]}]", match[0]), value)
        return _ACTION.sub(lambda match: parameters.get(match[1], match[0]), text)
    if isinstance(value, dict):
        return {key: _substituted(entry, parameters) for key, entry in value.items()}
    if isinstance(value, list):
        return [_substituted(entry, parameters) for entry in value]
    return value

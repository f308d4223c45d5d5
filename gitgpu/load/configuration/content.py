"""The content of a configuration: .gitgpu.yaml, or the table [tool.gitgpu] in pyproject.toml."""

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from functools import cache
from typing import Any, NamedTuple

from gitgpu.diagnostic import Diagnostic, Places, fault
from gitgpu.load.allowed_paths import allowed_roots, outside_reason
from gitgpu.load.catalog.folders import Folder
from gitgpu.load.parse.yaml import parse
from gitgpu.load.read import data_text, label, read_text, relative_to
from gitgpu.load.text import Text
from gitgpu.source import Pointer, SourceMap, Span

FILE = ".gitgpu.yaml"
PROJECT = "pyproject.toml"
TABLE = "tool.gitgpu"
# The table in pyproject.toml does not have these keys; they are added before it is checked.
HEAD = {"apiVersion": "gitgpu.dev/v1alpha1", "kind": "Config"}


class Allowance(NamedTuple):
    """An entry of `allow`: the accepted codes, files, reason, expiry date and place."""

    code: str
    reason: str
    place: Span
    file: str = "*"
    object: str = "*"
    until: str = ""


class LintConfig(NamedTuple):
    """The settings of `lint` that the command line can override. Paths are relative to the current directory.

    `excluded` are the namespaces that AKS Automatic clusters exclude from their safeguards; None if they are unknown.
    """

    paths: tuple[str, ...] = ()
    crds: tuple[str, ...] = ()
    values: tuple[tuple[str, str], ...] = ()
    kubernetes: str = ""
    versions: tuple[tuple[str, str], ...] = ()
    automatic: bool = False
    excluded: tuple[str, ...] | None = None
    skip: tuple[str, ...] = ()
    strict: bool = False
    ignore_missing: bool = False
    closed: bool = False


class Config(NamedTuple):
    """A configuration. Paths are relative to the current directory. `fleet` is () if there is no fleet.

    `file` is "" without a configuration file. `out_at` is the place of `out` in the file, with line 0 if the file does
    not set it.
    """

    fleet: tuple[str, ...] = ()
    out: str = "overlays"
    catalog: tuple[Folder, ...] = ()
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    fail_on: str = "error"
    allow: tuple[Allowance, ...] = ()
    lint: LintConfig = LintConfig()
    select_at: Span = Span("")
    file: str = ""
    out_at: Span = Span("")


@cache
def config_schema() -> dict[str, Any]:
    """The schema of the configuration."""
    schema: dict[str, Any] = json.loads(data_text("schemas/config.schema.json"))
    return schema


def config_of(path: str, unsaved: str | None = None) -> tuple[Config, list[Diagnostic]]:
    """The content of a configuration file; empty if the file has faults. `unsaved` stands for what is on disk."""
    nothing = Config(file=path)
    text = read_text(path) if unsaved is None else Text(path, unsaved, path)
    if isinstance(text, Diagnostic):
        return nothing, [text]
    content = _table(text) if text.name.endswith(PROJECT) else _document(text)
    if isinstance(content, list):
        return nothing, content
    faults = _faults(text.name, *content)
    return (nothing, faults) if faults else (_config(text.name, *content), [])


def _faults(path: str, data: Any, places: Places) -> list[Diagnostic]:
    # Without a configuration, a build with nothing to do needs no schema.
    from gitgpu.load.explain import explain_faults  # noqa: PLC0415
    from gitgpu.load.validate.compiler import compile_schema  # noqa: PLC0415

    schema = config_schema()
    if not compile_schema(schema)(data):
        return [problem.diagnostic("CFG001", places) for problem in explain_faults(schema, data)]
    return list(_wrong_days(data, places)) or list(_outside(path, data, places))


def _wrong_days(data: Mapping[str, Any], places: Places) -> Iterator[Diagnostic]:
    for index, entry in enumerate(data.get("allow", ())):
        if not _is_day(entry.get("until")):
            place = places.span(("allow", index, "until"))
            yield fault("CFG001", "this date does not exist", "use a date such as 2027-06-30", place)


def _document(text: Text) -> tuple[Any, Places] | list[Diagnostic]:
    documents, faults = parse(text)
    if len(documents) != 1 and not faults:
        remedy = "write one mapping with apiVersion and kind: Config"
        faults = [fault("CFG001", "must contain exactly one document", remedy, Span(text.name, 1, 1))]
    return faults or (documents[0].data, documents[0].places)


def _table(text: Text) -> tuple[Any, Places] | list[Diagnostic]:
    """The table in a TOML file. All values get the place of the table, because the parser does not give places."""
    import tomllib  # noqa: PLC0415  heavy, and rarely needed

    place = Span(text.name, text.content.partition(TABLE)[0].count("\n") + 1, 1)
    try:
        data = tomllib.loads(text.content)["tool"]["gitgpu"]
    except tomllib.TOMLDecodeError as error:
        return [fault("CFG001", f"not TOML: {error}", "correct the file", place)]
    except (KeyError, TypeError):
        return [fault("CFG001", f"there is no table [{TABLE}]", "add it, or use another file", place)]
    return HEAD | data if isinstance(data, dict) else data, SourceMap.of(place)


def _outside(path: str, data: Mapping[str, Any], places: Places) -> Iterator[Diagnostic]:
    """A fault for each path in a configuration that leads out of its directory and its Git work tree."""
    allowed = allowed_roots([os.path.dirname(path)])
    for pointer, name in _named(data):
        if why := outside_reason(relative_to(path, name), allowed):
            remedy = "pass it on the command line, or move it into the repository"
            yield fault("CFG001", f"{name} is not read: it {why}", remedy, places.span(pointer))


def _named(data: Mapping[str, Any]) -> Iterator[tuple[Pointer, str]]:
    """The paths with content that findings can quote. Catalogs are checked elsewhere."""
    lint = data.get("lint", {})
    lists: dict[Pointer, Sequence[str]] = {("fleet",): data.get("fleet", ())}
    lists |= {("lint", key): lint.get(key, ()) for key in ("paths", "crds")}
    lists |= {("lint", "values", chart): files for chart, files in lint.get("values", {}).items()}
    for pointer, names in lists.items():
        for index, name in enumerate(names):
            yield (*pointer, index), name


def _is_day(text: str | None) -> bool:
    try:
        return text is None or bool(date.fromisoformat(text))
    except ValueError:
        return False


def _config(path: str, data: Mapping[str, Any], places: Places) -> Config:
    entries = enumerate(data.get("allow", ()))
    return Config(
        fleet=_relative_to(path, data.get("fleet", ())),
        out=relative_to(path, data.get("out", "overlays")),
        catalog=tuple(Folder(relative_to(path, entry), label(entry)) for entry in data.get("catalog", ())),
        select=tuple(data.get("select", ())),
        ignore=tuple(data.get("ignore", ())),
        fail_on=data.get("failOn", "error"),
        allow=tuple(Allowance(**entry, place=places.span(("allow", index))) for index, entry in entries),
        lint=_lint(path, data.get("lint", {})),
        select_at=_place("select", data, places),
        file=path,
        out_at=_place("out", data, places),
    )


def _place(key: str, data: Mapping[str, Any], places: Places) -> Span:
    return places.span((key,)) if key in data else Span("")


def _lint(path: str, data: Mapping[str, Any]) -> LintConfig:
    return LintConfig(
        paths=_relative_to(path, data.get("paths", ())),
        crds=_relative_to(path, data.get("crds", ())),
        values=tuple(_values_files(path, data.get("values", {}))),
        kubernetes=data.get("kubernetesVersion", ""),
        versions=tuple(_versions(data.get("versions", {}))),
        automatic=data.get("automatic", False),
        excluded=tuple(data["excludedNamespaces"]) if "excludedNamespaces" in data else None,
        skip=tuple(data.get("skip", ())),
        strict=data.get("strict", False),
        ignore_missing=data.get("ignoreMissingSchemas", False),
        closed=data.get("wholeCluster", False),
    )


def _versions(versions: Mapping[str, str | Sequence[str]]) -> Iterator[tuple[str, str]]:
    """Each version of a project with its name."""
    for project, given in sorted(versions.items()):
        for version in [given] if isinstance(given, str) else given:
            yield project, version


def _values_files(path: str, values: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, str]]:
    for chart, files in sorted(values.items()):
        for file in files:
            yield chart, relative_to(path, file)


def _relative_to(path: str, names: Any) -> tuple[str, ...]:
    return tuple(relative_to(path, name) for name in names)

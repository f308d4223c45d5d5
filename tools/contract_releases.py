"""One contract for many releases of a project: what all of them accept, and how each differs from that.

The keywords of a schema are what every release accepts. Where releases differ, `x-gitgpu-by-release` lists what
replaces these keywords in a range of releases: `since` is the first of them, `before` the first after them. `null`
removes a keyword, and properties are added.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import yaml

from gitgpu.load.explain.repairs import DEFAULTS
from gitgpu.load.validate.releases import BY_RELEASE

Node: TypeAlias = dict[str, Any]
Values: TypeAlias = Sequence[tuple[int, Any]]  # of releases, by index, oldest first; None is absent

LIST = Path(__file__).with_name("releases.yaml")
_NOTHING: Node = {}  # the argument of `not` in a part that has nothing in common
_NO_COMMON = object()


class Release(NamedTuple):
    """A release of a project: its number, its date (ISO, or "") and the folders with its CRDs."""

    number: str
    date: str
    folders: tuple[str, ...]


class Project(NamedTuple):
    """A project that installs CRDs, with its releases, oldest first, and the charts and images with these versions.

    Folders whose names begin with `provider` have CRDs of its provider for Azure.
    """

    key: str
    name: str
    releases: tuple[Release, ...]
    charts: tuple[str, ...]
    images: Mapping[str, Mapping[str, str]]
    provider: str


@cache
def projects() -> tuple[Project, ...]:
    """Every project whose contracts say what each release has."""
    return tuple(map(_project, _list()["projects"]))


def verified() -> date:
    """The day on which newer releases were last looked for."""
    return _list()["verified"]  # type: ignore[no-any-return]


@cache
def _list() -> Node:
    return yaml.load(LIST.read_text(encoding="utf-8"), yaml.CSafeLoader)  # type: ignore[no-any-return]


def _project(row: Node) -> Project:
    releases = tuple(map(_release, row["releases"]))
    charts, images = tuple(row.get("charts", ())), row.get("images", {})
    return Project(row["project"], row["name"], releases, charts, images, row.get("provider", ""))


def _release(row: Node) -> Release:
    return Release(str(row["release"]), str(row["date"] or ""), tuple(row["crds"]))


def join_releases(schemas: Sequence[Node], numbers: Sequence[str]) -> Node:
    """One schema for these schemas of consecutive releases, oldest first."""
    return _Joiner(numbers).join(list(enumerate(schemas)))


class _Joiner(NamedTuple):
    """Joins the schemas of one part in some consecutive releases. `numbers` are those of all releases."""

    numbers: Sequence[str]

    def join(self, schemas: Values) -> Node:
        first: Node = schemas[0][1]
        if all(schema == first for _, schema in schemas):
            return first
        joined: Node = {}
        changes: dict[tuple[int, int], Node] = {}  # by the first and the last release
        for keyword in dict.fromkeys(key for _, schema in schemas for key in schema):
            values = [(at, schema.get(keyword)) for at, schema in schemas]
            if keyword == "properties":
                self._properties(values, joined, changes)
            elif keyword in ("items", "additionalProperties") and all(isinstance(part, dict) for _, part in values):
                joined[keyword] = self.join(values)
            else:
                _keyword(keyword, values, joined, changes)
        ends = (schemas[0][0], schemas[-1][0])
        listed = [self._range(span, ends) | changes[span] for span in sorted(changes)]
        return joined | ({BY_RELEASE: listed} if listed else {})

    def _properties(self, values: Values, joined: Node, changes: dict[tuple[int, int], Node]) -> None:
        """Those that all releases have, and changes with the others."""
        for name in dict.fromkeys(name for _, part in values for name in part or ()):
            of_name = [(at, (part or {}).get(name)) for at, part in values]
            if all(schema is not None for _, schema in of_name):
                joined.setdefault("properties", {})[name] = self.join(of_name)
                continue
            for run in _runs([(at, schema is not None) for at, schema in of_name]):
                schemas = [(at, schema) for at, schema in of_name if run[0] <= at <= run[-1]]
                if schemas[0][1] is not None:
                    change = changes.setdefault((run[0], run[-1]), {})
                    change.setdefault("properties", {})[name] = self.join(schemas)

    def _range(self, span: tuple[int, int], ends: tuple[int, int]) -> Node:
        """`since` and `before` of a span of releases, without what the span of the part says itself."""
        since = {"since": self.numbers[span[0]]} if span[0] != ends[0] else {}
        return since | ({"before": self.numbers[span[1] + 1]} if span[1] != ends[1] else {})


def _keyword(keyword: str, values: Values, joined: Node, changes: dict[tuple[int, int], Node]) -> None:
    """Adds what all releases accept, and the changes that make it what each of them accepts."""
    common = _common(keyword, [value for _, value in values if value is not None])
    if common is _NO_COMMON:
        joined["not"], common = _NOTHING, None
        for run in _runs(values):
            changes.setdefault((run[0], run[-1]), {})["not"] = None
    elif common is not None:
        joined[keyword] = common
    for run in _runs(values):
        value = next(value for at, value in values if at == run[0])
        if value != common:
            changes.setdefault((run[0], run[-1]), {})[keyword] = value


def _runs(values: Values) -> Iterator[list[int]]:
    """Consecutive releases with the same value."""
    run: list[int] = []
    last: Any = None
    for at, value in values:
        if run and value != last:
            yield run
            run = []
        run.append(at)
        last = value
    yield run


def _common(keyword: str, given: list[Any]) -> Any:
    """The argument of a keyword that accepts only what each of these does; `_NO_COMMON` if there is none."""
    if keyword in _COMMON:
        return _COMMON[keyword](given)
    if keyword.startswith(("min", "exclusiveMin")):
        return max(given)
    if keyword.startswith(("max", "exclusiveMax")):
        return min(given)
    return given[0] if all(value == given[0] for value in given) else _NO_COMMON


def _common_type(given: list[Any]) -> Any:
    names = sorted(set.intersection(*({value} if isinstance(value, str) else set(value) for value in given)))
    return (names[0] if len(names) == 1 else names) if names else _NO_COMMON


def _common_rest(given: list[Any]) -> Any:
    if False in given:
        return False
    return given[0] if all(value == given[0] for value in given) else _NO_COMMON


_COMMON: Mapping[str, Callable[[list[Any]], Any]] = {
    "required": lambda given: sorted(set().union(*given)),
    "enum": lambda given: [value for value in given[0] if all(value in other for other in given)] or _NO_COMMON,
    "type": _common_type,
    "additionalProperties": _common_rest,
    DEFAULTS: lambda given: given[-1],
}

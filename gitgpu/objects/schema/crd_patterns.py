"""The patterns of the user's CRDs: those that the API server rejects, and those that Python may take too long for."""

from collections.abc import Iterator, Mapping
from itertools import chain
from math import inf
from typing import Any, TypeAlias

from gitgpu.load.validate.linear_regex import longest, refusal
from gitgpu.load.validate.subschemas import children
from gitgpu.objects.schema.crd_validity import below

Node: TypeAlias = dict[str, Any]
_GUARD = "anyOf"


def refused_patterns(crd: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Each pattern of a usable CRD that RE2 rejects, and why: the API server compiles every one of them."""
    versions = crd["spec"]["versions"]
    schemas = [(version.get("schema") or {}).get("openAPIV3Schema") or {} for version in versions]
    for pattern in sorted(set(chain.from_iterable(map(_patterns, schemas)))):
        if reason := refusal(pattern):
            yield pattern, reason


def bound_patterns(schema: Node) -> Node:
    """The reduced schema in which no pattern is run on a text that takes too long."""
    changed = children(schema, lambda sub, _: bound_patterns(sub))
    maximum = longest(schema.get("pattern", ""))
    if maximum is None or schema.get("maxLength", inf) <= maximum:
        return changed
    pattern = changed.pop("pattern")
    # A longer text passes: the pattern is not tried on it.
    guard = {_GUARD: [{"minLength": maximum + 1}, {"pattern": pattern}]}
    return {**changed, "allOf": [*changed.get("allOf", ()), guard]}


def without_refused_patterns(schema: Node) -> Node:
    """The reduced schema without the patterns that RE2 rejects."""
    changed = children(schema, lambda sub, _: without_refused_patterns(sub))
    return {key: value for key, value in changed.items() if key != "pattern" or not refusal(value)}


def bounded_patterns(schema: Node) -> frozenset[str]:
    """The patterns that a bounded schema does not run on every text."""
    entries = chain.from_iterable(part.get("allOf", ()) for part in _every(schema))
    return frozenset(str(entry[_GUARD][1]["pattern"]) for entry in entries if _is_guard(entry))


def _is_guard(schema: Node) -> bool:
    branches = schema.get(_GUARD, ())
    return len(branches) == 2 and branches[0].keys() == {"minLength"} and branches[1].keys() == {"pattern"}


def _patterns(schema: Node) -> Iterator[str]:
    return (part["pattern"] for part in _every(schema) if part.get("pattern"))


def _every(schema: Node) -> Iterator[Node]:
    """A schema and every schema in it."""
    yield schema
    for entry in below(schema):
        yield from _every(entry)

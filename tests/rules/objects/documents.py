"""Hypothesis strategies: documents shaped like a schema, and documents with one change.

A document follows the schema's names and types and mostly its bounds, but need not be valid: two validators are most
likely to disagree on near misses.
"""

import copy
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from hypothesis import strategies as st

from gitgpu.load.validate.compiler import Resolve, local_references
from tests.helping.nested import values_inside

Draw = Callable[[st.SearchStrategy[Any]], Any]
Path = tuple[str | int, ...]

TEXTS = ["", "a", "gpu", "10%", "1h30m", "30d", "Never", "0", "1.5", "A b", "x/y.z", "karpenter.sh/x", "http://a", "-"]
NUMBERS = [-1, 0, 1, 2, 63, 100, 101, 2**31, 0.5, 1.5]
SCALARS = st.sampled_from([None, True, False, *TEXTS, *NUMBERS, [], {}, ["a"], {"a": 1}])
_DEEPEST = 9


@st.composite
def documents(draw: Draw, schema: Mapping[str, Any]) -> Any:
    """A value shaped like the schema."""
    return _value(draw, schema, local_references(schema), 0)


def _value(draw: Draw, schema: Any, resolve: Resolve, depth: int) -> Any:
    if isinstance(schema, bool) or depth > _DEEPEST:
        return draw(SCALARS)
    if "$ref" in schema:
        return _value(draw, resolve(schema["$ref"]), resolve, depth)
    for word in ("const", "enum"):
        if word in schema:
            return copy.deepcopy(draw(st.sampled_from([schema[word]] if word == "const" else schema[word])))
    for word in ("oneOf", "anyOf"):
        if word in schema and "properties" not in schema:
            return _value(draw, draw(st.sampled_from(schema[word])), resolve, depth)
    kinds = schema.get("type") or ("object" if "properties" in schema else "any")
    return _typed(draw, draw(st.sampled_from([kinds] if isinstance(kinds, str) else kinds)), schema, resolve, depth)


def _typed(draw: Draw, kind: str, schema: Any, resolve: Resolve, depth: int) -> Any:
    if kind == "object":
        return _mapping(draw, schema, resolve, depth)
    if kind == "array":
        size = draw(st.integers(schema.get("minItems", 0), min(schema.get("maxItems", 2), 2)))
        return [_value(draw, schema.get("items", True), resolve, depth + 1) for _ in range(size)]
    if kind == "integer":
        low, high = schema.get("minimum", -3), schema.get("maximum", 200)
        return draw(st.integers(low, max(low, high)) | st.sampled_from([int(n) for n in NUMBERS]))
    if kind == "string":
        return draw(st.sampled_from([*TEXTS, *schema.get("examples", ())]))
    simple = {"number": st.sampled_from(NUMBERS), "boolean": st.booleans(), "any": SCALARS}
    return draw(simple.get(kind, st.none()))


def _mapping(draw: Draw, schema: Any, resolve: Resolve, depth: int) -> dict[str, Any]:
    properties = schema.get("properties", {})
    required = [key for key in schema.get("required", ()) if key in properties]
    optional = sorted(properties.keys() - set(required))
    chosen = draw(st.lists(st.sampled_from(optional), max_size=3, unique=True)) if optional else []
    value = {key: _value(draw, properties[key], resolve, depth + 1) for key in (*required, *chosen)}
    rest = schema.get("additionalProperties", False)
    if rest is not False and not properties:
        for key in draw(st.lists(st.sampled_from(["a", "b/c", "d e"]), max_size=2, unique=True)):
            value[key] = _value(draw, rest, resolve, depth + 1)
    return value


@st.composite
def mutants(draw: Draw, document: Any) -> Any:
    """The document with one value replaced, removed or added."""
    changed = copy.deepcopy(document)
    paths = list(places(changed))
    if not paths:
        return draw(SCALARS)
    *above, last = draw(st.sampled_from(paths))
    parent = changed
    for part in above:
        parent = parent[part]
    change = draw(st.sampled_from(["replace", "replace", "remove", "add"]))
    if change == "remove":
        del parent[last]
    elif change == "add" and isinstance(parent, dict):
        parent["limts"] = draw(SCALARS)
    else:
        parent[last] = draw(SCALARS)
    return changed


def places(value: Any) -> Iterator[Path]:
    """The path of every value inside a value."""
    return (path for path, _ in values_inside(value))

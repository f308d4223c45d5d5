"""Hypothesis strategies: documents that match the fleet schema."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from hypothesis import strategies as st

from gitgpu.load.spec.shape import KINDS, fleet_schema, kind_schema
from gitgpu.load.validate.compiler import compile_schema

Schema = Mapping[str, Any]
DEFINITIONS: Schema = fleet_schema()["definitions"]
ASCII = st.characters(codec="ascii", categories=["L", "N", "P", "Zs"])


def follow(part: Schema) -> Schema:
    """The schema, or the definition that it refers to."""
    schema: Schema = DEFINITIONS[part["$ref"].rpartition("/")[2]] if "$ref" in part else part
    return schema


def spec_of(kind: str) -> Schema:
    """The schema of a kind's `spec`."""
    schema: Schema = DEFINITIONS[KINDS[kind]]["properties"]["spec"]
    return schema


@cache
def documents(kind: str) -> st.SearchStrategy[dict[str, Any]]:
    """Whole documents of a kind."""
    accepted = compile_schema(kind_schema(kind))
    made = values(DEFINITIONS[KINDS[kind]])
    if kind == "Fleet":  # what only a Fleet must have is next to the reference, and would reject most of them
        made = made.map(_with_repository)
    return made.filter(accepted)


def _with_repository(fleet: dict[str, Any]) -> dict[str, Any]:
    fleet["spec"]["delivery"].setdefault("repository", "https://github.com/contoso/gpu-fleet")
    return fleet


def values(part: Schema) -> st.SearchStrategy[Any]:
    """Values of a schema; relations between keys are left to a filter."""
    schema = follow(part)
    if "const" in schema or "enum" in schema:
        return st.sampled_from(schema.get("enum", [schema.get("const")]))
    if schema.keys() <= {"description", "examples"}:  # any value
        return st.sampled_from(schema["examples"])
    kinds = schema.get("type", "object")
    return st.one_of(*(_TYPES[kind](schema) for kind in ([kinds] if isinstance(kinds, str) else kinds)))


def _object(schema: Schema) -> st.SearchStrategy[dict[str, Any]]:
    if schema["additionalProperties"] == {}:  # fields of Kubernetes, which are not generated here
        return st.sampled_from([example for example in schema["examples"] if isinstance(example, dict)])
    properties, required = schema.get("properties", {}), schema.get("required", ())
    if not properties and schema["additionalProperties"] is False:
        return st.just({})
    if not properties:
        keys = values({"type": "string", "minLength": 1, **schema.get("propertyNames", {})})
        return st.dictionaries(keys, values(schema["additionalProperties"]), max_size=3)
    known = {key: values(sub) for key, sub in properties.items()}
    must = {key: known[key] for key in required}
    if choice := schema.get("oneOf", schema.get("anyOf")):  # exactly one of them
        each = [key for branch in choice for key in branch["required"]]
        without = {key: made for key, made in known.items() if key not in (*must, *each)}
        member = st.sampled_from(each).flatmap(lambda key: st.fixed_dictionaries({key: known[key]}))
        return st.builds(dict.__or__, member, st.fixed_dictionaries(must, optional=without))
    may = {key: made for key, made in known.items() if key not in must}
    if not must and schema.get("minProperties"):
        return st.fixed_dictionaries({}, optional=may).filter(bool)
    return st.fixed_dictionaries(must, optional=may)


def _array(schema: Schema) -> st.SearchStrategy[list[Any]]:
    limits = {"min_size": schema.get("minItems", 0), "max_size": min(schema.get("maxItems", 3), 3)}
    unique = repr if schema.get("uniqueItems") else None
    return st.lists(values(schema["items"]), unique_by=unique, **limits)


def _string(schema: Schema) -> st.SearchStrategy[str]:
    low, high = schema.get("minLength", 0), schema.get("maxLength", 2000)
    if "pattern" not in schema:
        return st.text(ASCII, min_size=low, max_size=min(high, 20))
    pattern = schema["pattern"].replace("$", r"\Z")
    return st.from_regex(pattern, alphabet=ASCII).filter(lambda text: low <= len(text) <= high)


def _integer(schema: Schema) -> st.SearchStrategy[int]:
    low = schema.get("minimum", schema.get("exclusiveMinimum", -1) + 1)
    return st.integers(low, schema.get("maximum", 10**6))


def _number(schema: Schema) -> st.SearchStrategy[float]:
    return st.floats(schema.get("exclusiveMinimum", 0), 1e6, exclude_min=True)


_TYPES: Mapping[str, Callable[[Schema], st.SearchStrategy[Any]]] = {
    "object": _object,
    "array": _array,
    "string": _string,
    "integer": _integer,
    "number": _number,
    "boolean": lambda _: st.booleans(),
    "null": lambda _: st.none(),
}

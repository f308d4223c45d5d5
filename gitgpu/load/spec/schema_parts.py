"""The part of a kind's schema for a value of its documents."""

from collections.abc import Sequence
from typing import Any

from gitgpu.load.spec.shape import KINDS, fleet_schema
from gitgpu.source import Pointer


def examples_at(kind: str, pointer: Pointer) -> Sequence[Any]:
    """Values that the schema allows at a place; empty if it has no examples."""
    try:
        part = schema_part(kind, pointer)
    except KeyError:  # alternatives
        return ()
    if part.get("type") == "boolean":
        return (True, False)
    allowed = part.get("enum", ())
    other_examples = [example for example in part.get("examples", ()) if example not in allowed]
    return [*allowed, *other_examples]


def schema_part(kind: str, pointer: Pointer) -> dict[str, Any]:
    """The part of the schema for a value. Raises KeyError if the schema has alternatives."""
    definitions = fleet_schema()["definitions"]
    part: dict[str, Any] = definitions[KINDS[kind]]
    for step in pointer:
        part = _followed(part, definitions)
        part = part["items"] if isinstance(step, int) else part["properties"][step]
    return _followed(part, definitions)


def _followed(part: dict[str, Any], definitions: dict[str, Any]) -> dict[str, Any]:
    name = part.get("$ref", "").removeprefix("#/definitions/")
    return {**definitions[name], **part} if name else part

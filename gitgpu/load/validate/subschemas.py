"""The schemas directly below a schema."""

from collections.abc import Callable
from typing import Any, TypeAlias

Node: TypeAlias = dict[str, Any]


def children(schema: Node, change: Callable[[Node, str], Node], name: str = "") -> Node:
    """The schema with every schema directly below it changed; `change` also gets the name of the property."""
    done = dict(schema)
    if "properties" in schema:
        done["properties"] = {key: change(sub, key) for key, sub in schema["properties"].items()}
    for key in ("items", "additionalProperties", "not"):
        if isinstance(schema.get(key), dict):
            done[key] = change(schema[key], name)
    for key in ("allOf", "anyOf", "oneOf"):
        if schema.get(key):
            done[key] = [change(sub, name) for sub in schema[key]]
    return done

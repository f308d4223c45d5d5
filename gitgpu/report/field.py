"""A field of a schema in words, as `kubectl explain` tells it."""

from collections.abc import Mapping
from typing import Any

Schema = Mapping[str, Any]


def follow(part: Schema, root: Schema) -> Schema:
    """What a part stands for: its definition, when it is a reference."""
    name = part.get("$ref", "").removeprefix("#/definitions/")
    found: Schema = root["definitions"][name] if name else part
    return found


def children(part: Schema, root: Schema) -> dict[str, Schema]:
    """The keys below a field; those of an item, when the field is a list."""
    found = follow(part, root)
    if "items" in found and "properties" not in found:
        found = follow(found["items"], root)
    return {key: follow(below, root) for key, below in found.get("properties", {}).items()}


def explain(path: str, part: Schema, root: Schema, *, required: bool) -> str:
    """The page of a field: what it is, what it may hold, an example, and the keys below it."""
    found = follow(part, root)
    facts = {
        "TYPE": _type(found) + (" (required)" if required else ""),
        "ALLOWED": _allowed(found),
        "DEFAULT": _value(found["default"]) if "default" in found else "",
        "EXAMPLE": "; ".join(_value(example) for example in found.get("examples", ())),
    }
    lines = [path, f"  {found.get('description', '')}", ""]
    lines += [f"{name + ':':10}{text}" for name, text in facts.items() if text]
    below = children(part, root)
    if below:
        inside = follow(found["items"], root) if "items" in found and "properties" not in found else found
        lines += ["", "KEYS:"]
        width = max(map(len, below)) + 2
        for key, one in below.items():
            must = "*" if key in inside.get("required", ()) else " "
            lines.append(f"  {must}{key:{width}}{one.get('description', '').split('. ')[0].rstrip('.')}")
        lines += ["", "* required"] if inside.get("required") else []
    return "\n".join(lines) + "\n"


def _type(part: Schema) -> str:
    kind = part.get("type", "text" if "const" in part else "any")
    return " or ".join(kind) if isinstance(kind, list) else str(kind)


def _allowed(part: Schema) -> str:
    if "const" in part:
        return str(part["const"])
    if "enum" in part:
        return ", ".join(map(str, part["enum"]))
    low, high = part.get("minimum"), part.get("maximum")
    limits = f"{low} to {high}" if None not in (low, high) else f"{low} or more" if low is not None else ""
    return str(part.get("x-gitgpu-words", limits))


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return "[" + ", ".join(map(_value, value)) + "]"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {_value(item)}" for key, item in value.items()) + "}"
    return str(value)

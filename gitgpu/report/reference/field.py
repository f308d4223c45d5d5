"""Describes a field of a schema as text, as `kubectl explain` does."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gitgpu.report.terminal import fit_lines

Schema = Mapping[str, Any]
# Texts that need no quotes, except for `_WORDS`, which YAML 1.1 reads as booleans or null. Numbers do not match.
_PLAIN = re.compile(r"[A-Za-z_/]([-A-Za-z0-9_./:@]*[A-Za-z0-9_/])?|([0-9]+[dhms])+", re.ASCII)
_NARROWEST = 24  # columns: a text with less room is not broken within its column
_WORDS = ("true", "false", "yes", "no", "on", "off", "null", "y", "n")


def follow(part: Schema, root: Schema) -> Schema:
    """The part itself, or its definition if it is a reference."""
    name = part.get("$ref", "").removeprefix("#/definitions/")
    definition: Schema = root["definitions"][name] if name else part
    return definition


def inside(part: Schema, root: Schema) -> Schema:
    """The schema that has the keys below a field: that of the field, or of an item if the field is a list."""
    definition = follow(part, root)
    return follow(definition["items"], root) if "items" in definition and "properties" not in definition else definition


def children(part: Schema, root: Schema) -> dict[str, Schema]:
    """The keys below a field, or below its items if it is a list."""
    return {key: follow(below, root) for key, below in inside(part, root).get("properties", {}).items()}


def facts(part: Schema, root: Schema, *, required: bool, recursive: bool = False) -> dict[str, Any]:
    """The facts about a field, for programs. `allowed` is text; `default` is null if there is none.

    With `recursive`, each key includes the keys below it.
    """
    definition, must = follow(part, root), inside(part, root).get("required", ())
    return {
        "description": definition.get("description", ""),
        "type": _type(definition),
        "required": required,
        "allowed": _allowed(definition) or None,
        "default": definition.get("default"),
        "examples": definition.get("examples", []),
        "keys": [
            _key(key, facts(below, root, required=key in must, recursive=recursive), recursive=recursive)
            for key, below in children(part, root).items()
        ],
    }


def _key(name: str, described: Mapping[str, Any], *, recursive: bool) -> dict[str, Any]:
    shown = ["description", "required", "type", "allowed", "default"]
    if recursive:
        shown.append("keys")
    return {"name": name, **{fact: described[fact] for fact in shown}}


def explain(path: str, described: Mapping[str, Any], width: int = 0) -> str:
    """The page of a field, from its `facts`: its description, its values, an example, and the keys below it.

    With a width, only the texts of the keys are broken.
    """
    required = " (required)" if described["required"] else ""
    default = "" if described["default"] is None else shown_value(described["default"])
    facts = {
        "TYPE": f"{described['type']}{required}",
        "ALLOWED": described["allowed"] or "",
        "DEFAULT": default,
        "EXAMPLE": "; ".join(map(shown_value, described["examples"])),
    }
    lines = [path, f"  {described['description']}", ""]
    lines += [f"{name + ':':10}{text}" for name, text in facts.items() if text]
    lines += _keys(described["keys"], width)
    return "".join(f"{line}\n" for line in lines)


def _keys(keys: Sequence[Mapping[str, Any]], width: int) -> list[str]:
    lines = list(_tree(keys, 0))
    if not lines:
        return []
    page = ["", "KEYS:", *(f"  {line}" for line in align(lines, width and width - 2))]
    if any(first.lstrip().startswith("*") for first, _, _ in lines):
        page += ["", "* required"]
    return page


def align(rows: Sequence[tuple[str, str, str]], width: int = 0) -> list[str]:
    """Rows of a name, a type and a text, as lines in aligned columns. With a width, texts break within their column."""
    names = max((len(name) for name, _, _ in rows), default=0) + 2
    kinds = max((len(kind) for _, kind, _ in rows), default=0) + 2
    room = width - names - kinds
    lines = []
    for name, kind, text in rows:
        first, *rest = fit_lines(text, room if room >= _NARROWEST else 0, more=0).split("\n")
        lines += [f"{name:{names}}{kind:{kinds}}{first}".rstrip(), *(f"{'':{names + kinds}}{line}" for line in rest)]
    return lines


def _tree(keys: Sequence[Mapping[str, Any]], depth: int) -> Iterator[tuple[str, str, str]]:
    """A line for each key and the keys below it: its name, its type, and its first sentence with its default."""
    for key in keys:
        star = "*" if key["required"] else " "
        default = "" if key["default"] is None else f" [default: {shown_value(key['default'])}]"
        text = f"{first_sentence(key['description'])}{default}"
        yield f"{'  ' * depth}{star}{key['name']}", key["type"], text
        yield from _tree(key.get("keys", ()), depth + 1)


def first_sentence(text: str) -> str:
    """The first sentence of a description, without its full stop."""
    return text.split(". ", maxsplit=1)[0].rstrip(".")


def _type(part: Schema) -> str:
    names = [part["const"]] if "const" in part else part.get("enum", ())
    kind = part.get("type", "string" if names and all(isinstance(name, str) for name in names) else "any")
    return " or ".join(kind) if isinstance(kind, list) else str(kind)


def _allowed(part: Schema) -> str:
    if "const" in part:
        return str(part["const"])
    if "enum" in part:
        return ", ".join(map(str, part["enum"]))
    low, high = part.get("minimum"), part.get("maximum")
    limits = "" if low is None else f"{low} or more"
    if None not in (low, high):
        limits = f"{low} to {high}"
    return str(part.get("x-gitgpu-words", limits))


def shown_value(value: Any) -> str:
    """A value as in YAML: text that would be read as another type is quoted."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, list):
        return "[" + ", ".join(map(shown_value, value)) + "]"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{shown_value(key)}: {shown_value(item)}" for key, item in value.items()) + "}"
    if isinstance(value, str) and not (_PLAIN.fullmatch(value) and value.lower() not in _WORDS):
        # Between single quotes, a double quote needs no escape.
        once = '"' in value and "'" not in value and value.isprintable() and "\\" not in value
        return f"'{value}'" if once else json.dumps(value, ensure_ascii=False)
    return str(value)

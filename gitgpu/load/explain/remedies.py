"""The remedy for a fault of shape, in the imperative."""

from collections.abc import Mapping
from typing import Any

from gitgpu.access import mapping_at
from gitgpu.load.explain.messages import Leaf, key_sets, kind_text, meant_key, present, similar_key, value_text
from gitgpu.load.explain.suggestions import suggestion
from gitgpu.load.parse.scalars import resolve
from gitgpu.load.validate.keywords import TYPES, UNIQUE_BY
from gitgpu.load.validate.patterns import compile_pattern
from gitgpu.spelling import comma_separated

_MAX_LISTED = 12  # names in a remedy
_ALWAYS = {
    **dict.fromkeys(("false", "not"), "remove it, or what conflicts with it"),
    **dict.fromkeys(("uniqueItems", UNIQUE_BY), "remove or change one of them"),
}
# A duration, an amount of memory and a percentage: patterns for these can be recognised.
_SAMPLES = ("10m", "1Gi", "10%")
_FILL = {"minItems": "add an entry", "minLength": "use a string", "minProperties": "add a key"}
_UNQUOTED = ("integer", "number", "boolean")  # types of values that are often written in quotes by mistake


def remedy(leaf: Leaf) -> str:
    """What to do about a fault, with an example if the schema has one."""
    properties = leaf.schema.get("properties", {})
    if leaf.keyword in _ALWAYS:
        return _ALWAYS[leaf.keyword]
    if leaf.keyword == "additionalProperties":
        return _other_key(leaf, properties)
    if leaf.keyword in ("anyOf", "oneOf") and (sets := key_sets(leaf)):
        return "remove all but one of them" if present(leaf, sets) else "add one of them"
    if leaf.keyword == "required":
        key = str(leaf.pointer[-1])
        return _missing_key(key, properties.get(key, {}))
    if leaf.keyword in _FILL and leaf.argument == 1:
        return f"{_FILL[leaf.keyword]}{_hint(leaf.schema, '')}"
    closest = similar_key(leaf.value, leaf.argument) if leaf.keyword == "enum" else ""
    correction = _mended(leaf) if leaf.keyword == "type" else ""
    if leaf.keyword == "pattern" and (text := suggestion(leaf.value, leaf.schema)):
        correction = f"use {_written(text)}"
    return correction or (f"use {closest}" if closest else f"correct the value{_hint(leaf.schema, '')}")


def _missing_key(key: str, schema: Any) -> str:
    """What to add for a missing key: an example, its only value, or the keys that its schema requires."""
    part = mapping_at(schema)
    values = [part["const"]] if "const" in part else part.get("enum", ())
    if not part.get("examples") and values:
        choices = [_written(value) for value in values if value is not None]
        if len(choices) == 1:
            return f"add {key}: {choices[0]}"
        return f"add {key}, one of {comma_separated(choices, _MAX_LISTED)}"
    hint = _hint(part, key)
    if not hint and part.get("required"):
        return f"add {key}, a mapping with {', '.join(part['required'])}"
    if not hint and (sample := _sample(part)):
        return f"add {key}, for example {key}: {sample}"
    if hint or part.get("type", "string") == "string":
        return f"add {key}{hint}"
    return f"add {key}, {kind_text(part['type'])}"


def _sample(schema: Mapping[str, Any]) -> str:
    """An example for a pattern that only durations, amounts or percentages match; "" for other patterns."""
    pattern = compile_pattern(schema.get("pattern", ""))
    if pattern.search("") or pattern.search("text"):  # it is not a pattern of such values
        return ""
    return next((sample for sample in _SAMPLES if pattern.search(sample)), "")


def _other_key(leaf: Leaf, properties: Mapping[str, Any]) -> str:
    if leaf.instead:
        return f"rename it to {' or '.join(map(repr, leaf.instead))} if that is what you mean; {_keys(properties)}"
    closest = meant_key(leaf)
    return f"rename it to '{closest}'" if closest else f"remove it; {_keys(properties)}"


def _mended(leaf: Leaf) -> str:
    """How to turn the value into one of the right type; "" if that is not simple."""
    value, wanted = leaf.value, [leaf.argument] if isinstance(leaf.argument, str) else leaf.argument
    if value is None:
        what = "item" if leaf.pointer and isinstance(leaf.pointer[-1], int) else "key"
        return f"give it a value{_hint(leaf.schema, '')}, or remove the {what}"
    if isinstance(value, str) and any(type(resolve(value)) in TYPES[name] for name in wanted if name in _UNQUOTED):
        return f"use {value} without quotes"
    if "string" in wanted and {*wanted} <= {"string", "null"}:
        return _quoted(value, leaf.schema)
    if "array" in wanted and type(value) in (str, int):
        items = leaf.schema.get("items", {})
        item = str(value) if _fits(str(value), items) else similar_key(value, items.get("enum", ()))
        return f"use [{_written(item)}]" if item else ""
    if "boolean" in wanted and {*wanted} <= {"boolean", "null"}:
        return "use true or false"
    return _mapping(leaf.schema) if wanted == ["object"] else ""


def _mapping(schema: Mapping[str, Any]) -> str:
    """A remedy with the keys of a mapping, or an example of it."""
    if keys := schema.get("properties"):
        return f"use a mapping; {_keys(keys)}"
    for example in schema.get("examples", ()):
        if not any(isinstance(value, (dict, list)) for value in example.values()):
            written = ", ".join(f"{key}: {_written(value)}" for key, value in example.items())
            return f"use a mapping, for example {{{written}}}"
    return "use a mapping"


def _quoted(value: Any, schema: Mapping[str, Any]) -> str:
    """A remedy to put the value in quotes, if that makes it valid. Not for 1.3, which may have been 1.30."""
    if isinstance(value, bool) and "enum" not in schema:
        return f"put it in quotes: YAML reads it as {value_text(value)}"
    whole = isinstance(value, int) or (isinstance(value, float) and len(str(value).partition(".")[2]) > 1)
    return f'quote it: "{value}"' if whole and _fits(str(value), schema) else ""


def _fits(text: str, schema: Mapping[str, Any]) -> bool:
    """Whether a text is valid."""
    return (
        "string" in (schema.get("type"), *schema.get("type", ()))
        and text in schema.get("enum", (text,))
        and bool(compile_pattern(schema.get("pattern", "")).search(text))
    )


def _keys(properties: Mapping[str, Any]) -> str:
    names = sorted(properties)
    return f"the allowed keys are {comma_separated(names, _MAX_LISTED)}" if names else "no key is allowed here"


def _hint(schema: Mapping[str, Any], key: str) -> str:
    """An example, or the description, or nothing."""
    for example in schema.get("examples", ()):
        items = example if isinstance(example, list) else [example]
        if items and not any(isinstance(item, (dict, list)) for item in items):
            written = ", ".join(map(_written, items))
            value = f"[{written}]" if items is example else written
            return f", for example {key}: {value}" if key else f", for example {value}"
    description = schema.get("description", "").partition(". ")[0]
    return f" ({description[0].lower()}{description[1:].rstrip('.')})" if description and key else ""


def _written(value: Any) -> str:
    """A value as it is written in YAML."""
    if resolve(str(value)) != value:
        return f'"{value}"'
    return value if isinstance(value, str) else value_text(value)

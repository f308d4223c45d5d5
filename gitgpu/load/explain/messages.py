"""The message of a fault of shape: what is wrong."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from gitgpu.access import MAPPING, reach
from gitgpu.load.explain.suggestions import suggestion
from gitgpu.load.validate.keywords import UNIQUE_BY
from gitgpu.source import Pointer
from gitgpu.spelling import nearest

_KINDS = {
    "object": "a mapping",
    "array": "a list",
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "null": "null",
}
_MAX_SHOWN = 60  # characters of a value in a message


class Leaf(NamedTuple):
    """A keyword of the schema that a value (or, with `at_key`, a key) violates. `schema` is the mapping with it.

    The unknown key may stand for one of the missing keys `instead`. `fits_several`: several branches of a oneOf match.
    """

    pointer: Pointer
    keyword: str
    argument: Any
    schema: Mapping[str, Any]
    value: Any
    at_key: bool = False
    instead: tuple[str, ...] = ()
    fits_several: bool = False

    @property
    def is_unknown_key(self) -> bool:
        """Whether it is a key that the schema of its mapping does not have."""
        return self.keyword == "additionalProperties"


def message(leaf: Leaf) -> str:
    """What is wrong."""
    return _SENTENCES.get(leaf.keyword, _refused)(leaf)


def value_text(value: Any) -> str:
    """A value as messages quote it."""
    if isinstance(value, str):
        return repr(value) if len(value) <= _MAX_SHOWN else f"{value[:_MAX_SHOWN]!r}..."
    if isinstance(value, (dict, list)):
        kind = _KINDS["object" if isinstance(value, dict) else "array"]
        return kind if value else kind.replace("a ", "an empty ")
    if value is None:
        return "null"
    return str(value).lower() if isinstance(value, bool) else str(value)


def kind_text(types: str | list[str]) -> str:
    """The types that a schema allows, in words."""
    if isinstance(types, str):
        return _KINDS[types]
    return " or ".join(_KINDS[name] for name in types if name != "null")


def _refused(leaf: Leaf) -> str:
    shown = value_text(leaf.value)
    return _wanted(leaf) or f"is not allowed together with the other keys here; found {shown}"


def _wanted(leaf: Leaf) -> str:
    """What the value must be, in the words of the schema, or that it must not have a scheme; "" if neither is known."""
    words, shown = leaf.schema.get("x-gitgpu-words"), value_text(leaf.value)
    scheme, _, rest = str(leaf.value).partition("://")
    if rest and suggestion(leaf.value, leaf.schema) in (rest, rest.rstrip("/")):
        return f"{shown} starts with {scheme}://, and this value has no scheme"
    return f"must be {words}; found {shown}" if words else ""


def _type(leaf: Leaf) -> str:
    if "enum" in leaf.schema and value_text(leaf.value) not in leaf.schema["enum"]:
        return _enum(leaf._replace(argument=leaf.schema["enum"]))
    names = [leaf.argument] if isinstance(leaf.argument, str) else leaf.argument
    # null is rarely meant, and every integer is a number.
    hidden = ("null", "integer") if "number" in names else ("null",)
    shown_names = [name for name in names if len(names) == 1 or name not in hidden]
    types_text = " or ".join(_KINDS[name] for name in shown_names)
    quoted = f"the text {value_text(leaf.value)}" if isinstance(leaf.value, str) else value_text(leaf.value)
    words = leaf.schema.get("x-gitgpu-words")
    if words and names == ["object"]:  # they are about its keys and values
        words = f"{types_text}: {words}"
    return f"must be {words or types_text}; found {quoted}"


def _unknown_key(leaf: Leaf) -> str:
    key, closest = str(leaf.pointer[-1]), meant_key(leaf)
    if leaf.instead:
        return f"unknown key {value_text(key)}, and {' or '.join(map(repr, leaf.instead))} is missing"
    return f"unknown key {value_text(key)}" + (f"; did you mean '{closest}'?" if closest else "")


def _enum(leaf: Leaf) -> str:
    allowed = ", ".join(value_text(item).strip("'") for item in leaf.argument)
    return f"must be one of {allowed}; found {value_text(leaf.value)}"


def _pattern(leaf: Leaf) -> str:
    return _wanted(leaf) or f"{value_text(leaf.value)} does not match {leaf.argument}"


def _bounds(leaf: Leaf) -> str:
    low, high = leaf.schema.get("minimum"), leaf.schema.get("maximum")
    what = _KINDS.get(str(leaf.schema.get("type")), "a number")
    shown = f"; found {value_text(leaf.value)}"
    if leaf.keyword.startswith("exclusive"):
        side = "more" if leaf.keyword.endswith("Minimum") else "less"
        return f"must be {what} {side} than {leaf.argument}{shown}"
    if low is not None and high is not None:
        return f"must be {what} from {low} to {high}{shown}"
    return f"must be {what}, {'at least' if leaf.keyword == 'minimum' else 'at most'} {leaf.argument}{shown}"


_UNITS = {"Length": "character", "Items": "item"}


def _size(leaf: Leaf) -> str:
    unit = next((unit for part, unit in _UNITS.items() if part in leaf.keyword), "key")
    limit = leaf.argument
    if leaf.keyword.startswith("min") and limit == 1:
        return "must not be empty"
    side = "at least" if leaf.keyword.startswith("min") else "at most"
    return f"must have {side} {limit} {unit}{'' if limit == 1 else 's'}; found {len(leaf.value)}"


def _choice(leaf: Leaf) -> str:
    if sets := key_sets(leaf):
        keys = ", ".join(map(_joined, sets))
        many = "only one" if present(leaf, sets) else "one"
        if leaf.keyword == "anyOf":
            many = "at least one"
        return f"must have {many} of {keys}"
    if leaf.fits_several:
        return f"matches more than one of the allowed forms; found {value_text(leaf.value)}"
    kinds = dict.fromkeys(_KINDS.get(str(reach(branch, "type"))) for branch in leaf.argument)
    wanted = " or ".join(kind for kind in kinds if kind)
    must = f"must be {wanted}" if wanted else "must have one of the allowed forms"
    return f"{must}; found {value_text(leaf.value)}"


def key_sets(leaf: Leaf) -> list[list[str]]:
    """The keys that the branches of a union require of a mapping; empty if a branch requires something else."""
    if not isinstance(leaf.value, dict):
        return []
    sets = [reach(branch, "required") for branch in leaf.argument]
    return sets if all(sets) else []


def present(leaf: Leaf, sets: list[list[str]]) -> bool:
    """Whether the mapping has all keys of one of the sets."""
    return any(set(keys) <= leaf.value.keys() for keys in sets)


def _exclusion(leaf: Leaf) -> str:
    keys = leaf.argument.get("required", []) if isinstance(leaf.argument, dict) else []
    if not keys:
        return _refused(leaf)
    return f"must not have {_joined(keys)}{' together' if len(keys) > 1 else ''}"


def _joined(keys: Iterable[str]) -> str:
    return " and ".join(f"'{key}'" for key in keys)


_SENTENCES: Mapping[str, Callable[[Leaf], str]] = {
    "additionalProperties": _unknown_key,
    "required": lambda leaf: f"missing key '{leaf.pointer[-1]}'",
    "type": _type,
    "enum": _enum,
    "const": lambda leaf: f"must be {value_text(leaf.argument)}; found {value_text(leaf.value)}",
    "pattern": _pattern,
    "multipleOf": lambda leaf: f"must be a multiple of {leaf.argument}; found {value_text(leaf.value)}",
    "format": lambda leaf: f"{value_text(leaf.value)} is not a valid {leaf.argument}",
    **dict.fromkeys(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), _bounds),
    **dict.fromkeys(("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"), _size),
    "uniqueItems": lambda _: "must not contain duplicate items",
    UNIQUE_BY: lambda leaf: f"must not contain two items with the same {' and '.join(leaf.argument)}",
    "anyOf": _choice,
    "oneOf": _choice,
    "not": _exclusion,
}


def meant_key(leaf: Leaf) -> str:
    """The key that an unknown one is most similar to; "" if it is there already, or wants another kind of value."""
    key, found = leaf.pointer[-1], leaf.value if isinstance(leaf.value, MAPPING) else {}
    properties = leaf.schema.get("properties", {})
    closest = similar_key(key, properties)
    return closest if closest and closest not in found and _fits(found.get(key), properties[closest]) else ""


def _fits(value: Any, schema: Any) -> bool:
    """Whether a value is a mapping, a list or neither, as its schema wants. A schema may not say what it wants."""
    types = types_of(schema)
    if value is None or not types:
        return True
    if isinstance(value, MAPPING):
        return "object" in types
    return "array" in types if isinstance(value, list) else bool(types - {"object", "array"})


def types_of(schema: Any) -> frozenset[str]:
    """The names of the types that a schema allows; empty if it does not say."""
    wanted = schema.get("type", ()) if isinstance(schema, MAPPING) else ()
    return frozenset((wanted,) if isinstance(wanted, str) else wanted)


def similar_key(word: Any, options: Iterable[Any]) -> str:
    """The option that is most similar to a word; "" if none is similar."""
    names = [option for option in options if isinstance(option, str)]
    return nearest(word, names) if isinstance(word, str) else ""

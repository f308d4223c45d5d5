"""Defaults and coercions, from rules that are derived from the JSON Schema.

Only `default` and `x-gitgpu-coerce` are used, since the shape has already been validated. Cerberus converts values of
the wrong type, such as the number in `zones: [1]`. It is not loaded for a fleet without such values, because its import
takes as long as checking a small fleet. Cerberus gets a flat document, with one field for each path that has a rule:
for a nested document, it would create a validator for each mapping.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from gitgpu.access import ABSENT, has, value_at

Coercion = Callable[[Any], Any]
Path = tuple[str, ...]

TEXT, TEXTS, LIST = "text", "texts", "list"
COERCIONS: Mapping[str, Coercion] = {
    TEXT: str,
    TEXTS: lambda values: [str(value) for value in values],
    LIST: lambda value: value if isinstance(value, list) else [value],
}
_HAS_TYPE: Mapping[str, Callable[[Any], bool]] = {
    TEXT: lambda value: isinstance(value, str),
    TEXTS: lambda values: all(isinstance(value, str) for value in values),
}


class Rule(NamedTuple):
    """The rule for a path. `cerberus` is the rule for Cerberus, and `coercion` the name of its coercion, or "".

    `key` is the name of the field for the path, and `below` the path of the nearest optional mapping.
    """

    key: str
    path: Path
    below: Path
    cerberus: Mapping[str, Any]
    coercion: str


def derive(schema: Mapping[str, Any], definitions: Mapping[str, Any]) -> tuple[Rule, ...]:
    """The rules of an object schema, for the paths that have a default or a coercion."""
    return tuple(_rules(schema, definitions, (), ()))


def _rules(schema: Mapping[str, Any], definitions: Mapping[str, Any], at: Path, below: Path) -> Iterator[Rule]:
    for key, part in _follow(schema, definitions).get("properties", {}).items():
        resolved, path = _follow(part, definitions), (*at, key)
        if resolved.get("type") == "object" and "properties" in resolved:
            yield from _rules(resolved, definitions, path, below if "default" in resolved else path)
            continue
        cerberus = {"default": resolved["default"]} if "default" in resolved else {}
        if coercion := _coercion(resolved):
            cerberus["coerce"] = COERCIONS[coercion]
        if cerberus:
            yield Rule(".".join(path), path, below, cerberus, coercion)


def _coercion(part: Mapping[str, Any]) -> str:
    """The coercion of a value, or of the items of a list, or ""."""
    if "x-gitgpu-coerce" in part:
        return str(part["x-gitgpu-coerce"])
    items = part["items"].get("x-gitgpu-coerce") if isinstance(part.get("items"), Mapping) else None
    return {None: "", TEXT: TEXTS}[items]


def _follow(part: Mapping[str, Any], definitions: Mapping[str, Any]) -> Mapping[str, Any]:
    reference = part.get("$ref", "")
    return definitions[reference.removeprefix("#/definitions/")] if reference else part


def in_cerberus(rules: Sequence[Rule]) -> dict[str, dict[str, Any]]:
    """The rules as a Cerberus schema; tests check it with Cerberus."""
    return {rule.key: dict(rule.cerberus) for rule in rules}


def normaliser(rules: Sequence[Rule]) -> Callable[[Mapping[str, Any]], dict[str, Any]]:
    """A function that applies defaults and coercions to a valid document; the document is not changed.

    Raises ValueError if Cerberus rejects a document that the JSON Schema accepts, which is a bug in gitgpu.
    """
    convert = cache(lambda: converter(rules))
    optional = {rule.below for rule in rules}

    def normalise(document: Mapping[str, Any]) -> dict[str, Any]:
        flat = with_defaults(rules, document)
        flat = convert()(document) if flat is None else flat
        present = {path for path in optional if has(document, path)}  # once: many rules are below the same mapping
        result = dict(document)
        for rule in rules:
            if rule.below in present and rule.key in flat:
                _put(result, rule.path, flat[rule.key])
        return result

    return normalise


def with_defaults(rules: Sequence[Rule], document: Mapping[str, Any]) -> dict[str, Any] | None:
    """The values of a document at the paths of the rules, with defaults; None if Cerberus has to convert one."""
    flat: dict[str, Any] = {}
    for rule in rules:
        value = value_at(document, rule.path)
        if value is None:
            return None  # Cerberus decides what an explicit null means
        if value is ABSENT:
            if "default" in rule.cerberus:
                flat[rule.key] = rule.cerberus["default"]
        elif rule.coercion == LIST:
            flat[rule.key] = COERCIONS[LIST](value)
        elif rule.coercion and not _HAS_TYPE[rule.coercion](value):
            return None
        else:
            flat[rule.key] = value
    return flat


def converter(rules: Sequence[Rule]) -> Callable[[Mapping[str, Any]], dict[str, Any]]:
    """A function from a valid document to its values at the paths of the rules, completed and converted by Cerberus."""
    from cerberus import Validator  # noqa: PLC0415 - heavy, and rarely needed
    from cerberus.schema import UnvalidatedSchema  # noqa: PLC0415

    validator = Validator(UnvalidatedSchema(in_cerberus(rules)))  # otherwise it checks each rule for each document
    converted: dict[str, dict[str, Any] | None] = {}  # many clusters have the same values in these fields

    def convert(document: Mapping[str, Any]) -> dict[str, Any]:
        values = {rule.key: value_at(document, rule.path) for rule in rules}
        written = {key: value for key, value in values.items() if value is not ABSENT}
        text = repr(written)
        if text not in converted:
            converted[text] = validator.normalized(written)
        flat = converted[text]
        if flat is None:
            raise ValueError(f"Cerberus rejects a valid document: {validator.errors}")
        return flat

    return convert


def _put(document: dict[str, Any], path: Path, value: Any) -> None:
    """Sets a value. Mappings on the path are copied, because they belong to the original document."""
    for key in path[:-1]:
        document[key] = dict(document.get(key, {}))
        document = document[key]
    document[path[-1]] = value


def merge(over: Any, under: Any) -> Any:
    """The first value merged over the second: mappings key by key, other values are replaced."""
    if isinstance(over, dict) and isinstance(under, dict):
        return {**under, **{key: merge(value, under.get(key)) for key, value in over.items()}}
    return over

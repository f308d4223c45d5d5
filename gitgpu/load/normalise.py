"""Defaults and coercions, by Cerberus, from rules that are derived from the JSON Schema: nothing is stated twice.

Only what changes a value is carried over: `default` and `x-gitgpu-coerce`. Shape has been proven before. Cerberus sees
the document flat, one field for each path with a rule: nested, it would make a validator for each mapping.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

Coercion = Callable[[Any], Any]
Path = tuple[str, ...]

COERCIONS: Mapping[str, Coercion] = {
    "text": str,
    "list": lambda value: value if isinstance(value, list) else [value],
}


class Rule(NamedTuple):
    """What Cerberus does at a path, in its own words; `below` is the nearest mapping that an author may leave out."""

    path: Path
    below: Path
    words: Mapping[str, Any]


def derive(schema: Mapping[str, Any], definitions: Mapping[str, Any]) -> tuple[Rule, ...]:
    """The rules of an object, for the paths at which something is to be done."""
    return tuple(_rules(schema, definitions, (), ()))


def _rules(schema: Mapping[str, Any], definitions: Mapping[str, Any], at: Path, below: Path) -> Iterator[Rule]:
    for key, part in _follow(schema, definitions).get("properties", {}).items():
        found, path = _follow(part, definitions), (*at, key)
        if found.get("type") == "object" and "properties" in found:
            yield from _rules(found, definitions, path, below if "default" in found else path)
            continue
        words = {"default": found["default"]} if "default" in found else {}
        coerce = _coercion(found)
        if words or coerce:
            yield Rule(path, below, {**words, **({"coerce": coerce} if coerce else {})})


def _coercion(part: Mapping[str, Any]) -> Coercion | None:
    if "x-gitgpu-coerce" in part:
        return COERCIONS[part["x-gitgpu-coerce"]]
    items = part["items"].get("x-gitgpu-coerce") if isinstance(part.get("items"), Mapping) else None
    return (lambda values: [COERCIONS[items](value) for value in values]) if items else None


def _follow(part: Mapping[str, Any], definitions: Mapping[str, Any]) -> Mapping[str, Any]:
    reference = part.get("$ref", "")
    return definitions[reference.removeprefix("#/definitions/")] if reference else part


def in_cerberus(rules: Sequence[Rule]) -> dict[str, dict[str, Any]]:
    """The rules as Cerberus takes them; tests check them against its own schema."""
    return {".".join(rule.path): dict(rule.words) for rule in rules}


def normaliser(rules: Sequence[Rule]) -> Callable[[Mapping[str, Any]], dict[str, Any]]:
    """A function from a proven document to the same with defaults and coercions; the document is not changed.

    Raises ValueError if Cerberus refuses a document that the JSON Schema accepts, which is a bug of gitgpu.
    """
    from cerberus import Validator  # noqa: PLC0415 - heavy: only where a fleet is read
    from cerberus.schema import UnvalidatedSchema  # noqa: PLC0415

    validator = Validator(UnvalidatedSchema(in_cerberus(rules)))  # else it checks each rule again for each document
    known: dict[str, dict[str, Any] | None] = {}  # a thousand clusters have the same values in these few fields

    def normalise(document: Mapping[str, Any]) -> dict[str, Any]:
        found = {".".join(rule.path): _at(document, rule.path) for rule in rules}
        written = {key: value for key, value in found.items() if value is not _ABSENT}
        text = repr(written)
        if text not in known:
            known[text] = validator.normalized(written)
        flat = known[text]
        if flat is None:
            raise ValueError(f"normalisation refused {validator.errors}")
        result = dict(document)
        for rule in rules:
            key = ".".join(rule.path)
            if key in flat and _at(document, rule.below) is not _ABSENT:
                _put(result, rule.path, flat[key])
        return result

    return normalise


_ABSENT = object()


def _at(document: Any, path: Path) -> Any:
    for key in path:
        if not isinstance(document, Mapping) or key not in document:
            return _ABSENT
        document = document[key]
    return document


def _put(document: dict[str, Any], path: Path, value: Any) -> None:
    """Sets a value; mappings on the way are copied, since they belong to the document that was read."""
    for key in path[:-1]:
        document[key] = dict(document.get(key, {}))
        document = document[key]
    document[path[-1]] = value


def merge(over: Any, under: Any) -> Any:
    """What is written, over what is written elsewhere: mappings key by key, anything else whole."""
    if isinstance(over, dict) and isinstance(under, dict):
        return {**under, **{key: merge(value, under.get(key)) for key, value in over.items()}}
    return over

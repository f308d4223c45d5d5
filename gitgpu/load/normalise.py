"""Defaults and coercions, by Cerberus, from a schema that is derived from the JSON Schema: nothing is said twice.

Only what changes a value is carried over: `default`, `x-gitgpu-coerce` and the nesting. Shape has been proven before.
"""

from collections.abc import Callable, Mapping
from typing import Any

COERCIONS: dict[str, Callable[[Any], Any]] = {
    "text": str,
    "list": lambda value: value if isinstance(value, list) else [value],
}


def derive(schema: Mapping[str, Any], definitions: Mapping[str, Any]) -> dict[str, Any]:
    """The Cerberus schema of an object: {key: rules}, without the keys for which nothing is to be done."""
    found = _follow(schema, definitions)
    parts = {key: _rules(part, definitions) for key, part in found.get("properties", {}).items()}
    return {key: rules for key, rules in parts.items() if rules}


def _rules(part: Mapping[str, Any], definitions: Mapping[str, Any]) -> dict[str, Any]:
    found = _follow(part, definitions)
    rules: dict[str, Any] = {"default": found["default"]} if "default" in found else {}
    if "x-gitgpu-coerce" in found:
        rules["coerce"] = COERCIONS[found["x-gitgpu-coerce"]]
    if found.get("type") == "object" and (inner := derive(found, definitions)):
        rules |= {"type": "dict", "schema": inner}
    elif found.get("type") == "array" and (items := _rules(found["items"], definitions)):
        rules |= {"type": "list", "schema": items}
    return rules


def _follow(part: Mapping[str, Any], definitions: Mapping[str, Any]) -> Mapping[str, Any]:
    reference = part.get("$ref", "")
    return definitions[reference.removeprefix("#/definitions/")] if reference else part


def normaliser(rules: Mapping[str, Any]) -> Callable[[Mapping[str, Any]], dict[str, Any]]:
    """A function from a proven document to the same with defaults and coercions; the document is not changed.

    Raises ValueError when Cerberus refuses what the JSON Schema took: the two have fallen apart, which is our bug.
    """
    from cerberus import Validator  # noqa: PLC0415 - heavy: only where a fleet is read

    validator = Validator(dict(rules), allow_unknown=True)

    def normalise(document: Mapping[str, Any]) -> dict[str, Any]:
        result = validator.normalized(document, always_return_document=True)
        if validator.errors:
            raise ValueError(f"normalisation refused {validator.errors}")
        return dict(result)

    return normalise


def merge(over: Any, under: Any) -> Any:
    """What is written, over what is written elsewhere: mappings key by key, anything else whole."""
    if isinstance(over, dict) and isinstance(under, dict):
        return {**under, **{key: merge(value, under.get(key)) for key, value in over.items()}}
    return over

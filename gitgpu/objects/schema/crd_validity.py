"""Whether the schema of a CRD is a schema at all.

An API server has checked those from a cluster; others may be invalid.

The shapes follow JSONSchemaProps, as far as gitgpu reads them:
https://github.com/kubernetes/apiextensions-apiserver/blob/v0.36.2/pkg/apis/apiextensions/v1/types_jsonschema.go
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

_Shape: TypeAlias = Callable[[Any], bool]


def _number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _size(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _text(value: Any) -> bool:
    return isinstance(value, str)


def _flag(value: Any) -> bool:
    return isinstance(value, bool)


def _texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(text, str) for text in value)


def _rules(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(rule, dict) and _text(rule.get("rule")) for rule in value)


_TYPES = ("array", "boolean", "integer", "number", "object", "string")
_SHAPES: Mapping[str, _Shape] = {
    "type": lambda value: value in _TYPES,
    **dict.fromkeys(("pattern", "format", "x-kubernetes-list-type"), _text),
    **dict.fromkeys(("minimum", "maximum"), _number),
    **dict.fromkeys(("exclusiveMinimum", "exclusiveMaximum"), lambda value: _flag(value) or _number(value)),
    **dict.fromkeys(("minLength", "minItems", "minProperties"), _size),
    **dict.fromkeys(("maxLength", "maxItems", "maxProperties"), _size),
    **dict.fromkeys(("nullable", "uniqueItems", "x-kubernetes-int-or-string"), _flag),
    **dict.fromkeys(("x-kubernetes-embedded-resource", "x-kubernetes-preserve-unknown-fields"), _flag),
    **dict.fromkeys(("required", "x-kubernetes-list-map-keys"), _texts),
    **dict.fromkeys(("enum", "allOf", "anyOf", "oneOf"), lambda value: isinstance(value, list)),
    **dict.fromkeys(("properties", "items", "not"), lambda value: isinstance(value, dict)),
    "additionalProperties": lambda value: isinstance(value, (dict, bool)),
    "multipleOf": lambda value: _number(value) and value > 0,
    "x-kubernetes-validations": _rules,
}


def is_schema(schema: Any) -> bool:
    """Whether the keywords of a schema, and of every schema in it, have the shapes that the API server accepts."""
    if not isinstance(schema, dict):
        return False
    if not all(_SHAPES[key](value) for key, value in schema.items() if key in _SHAPES):
        return False
    if schema.get("x-kubernetes-list-type") == "map" and "x-kubernetes-list-map-keys" not in schema:
        return False
    return all(map(is_schema, below(schema)))


def below(schema: Mapping[str, Any]) -> Iterator[Any]:
    """The schemas directly below a schema."""
    yield from schema.get("properties", {}).values()
    for key in ("allOf", "anyOf", "oneOf"):
        yield from schema.get(key, ())
    for key in ("items", "not", "additionalProperties"):
        if key in schema and not isinstance(schema[key], bool):
            yield schema[key]

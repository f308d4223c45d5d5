"""A CRD's structural schema as a closed JSON Schema: names, types, bounds, enums and patterns, no unknown fields.

It omits descriptions, defaults, CEL, and formats that are not enforced. A field with a default is optional.
"""

from typing import Any, TypeAlias

from gitgpu.load.explain.repairs import DEFAULTS
from gitgpu.load.validate.formats import is_enforced
from gitgpu.load.validate.keywords import UNIQUE_BY
from gitgpu.load.validate.patterns import compile_pattern
from gitgpu.load.validate.subschemas import children

Node: TypeAlias = dict[str, Any]

_BOUNDS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf")
_SIZES = ("minLength", "minItems", "minProperties", "maxLength", "maxItems", "maxProperties")
_KEPT = ("type", "enum", "pattern", *_BOUNDS, *_SIZES)  # a bound that is true or false is handled separately


def structural_schema(schema: Node, *, inner: bool = False) -> Node:
    """The closed JSON Schema; `inner` marks the parts that only add conditions."""
    kept: Node = {key: schema[key] for key in _KEPT if key in schema and not isinstance(schema[key], bool)}
    if schema.get("x-kubernetes-int-or-string"):
        return kept | {"type": ["integer", "string"]}
    kept |= {"format": schema["format"]} if is_enforced(schema) else {}
    kept |= _unique(schema) | _required(schema) | _exclusive(schema)
    if not _is_readable(kept.get("pattern", "")):
        del kept["pattern"]
    fields: Node = {key: schema[key] for key in ("properties", "items") if key in schema}
    kept |= children(fields, lambda part, _: structural_schema(part, inner=inner))
    if schema.get("x-kubernetes-embedded-resource"):
        kept["properties"] = {**kept.get("properties", {}), "metadata": {"type": "object"}}
    conditions: Node = {key: schema[key] for key in ("allOf", "anyOf", "oneOf", "not") if key in schema}
    kept |= children(conditions, lambda part, _: structural_schema(part, inner=True))
    return kept | ({} if inner else _rest(schema))


def _required(schema: Node) -> Node:
    """The required fields without a default: the API server fills in defaults before it checks for missing fields."""
    properties = schema.get("properties", {})
    required_keys = [key for key in schema.get("required", ()) if "default" not in properties.get(key, {})]
    whole = schema.get("default")  # what is written when all of the mapping is absent
    defaults = {key: str(whole[key]) for key in required_keys if key in whole} if isinstance(whole, dict) else {}
    keywords: dict[str, Any] = {"required": required_keys, DEFAULTS: defaults}
    return {keyword: argument for keyword, argument in keywords.items() if argument}


def _unique(schema: Node) -> Node:
    """The constraint on duplicate items in a list."""
    kind = schema.get("x-kubernetes-list-type")
    if kind == "map":
        return {UNIQUE_BY: schema["x-kubernetes-list-map-keys"]}
    return {"uniqueItems": True} if kind == "set" or schema.get("uniqueItems") else {}


def _is_readable(pattern: Any) -> bool:
    """Whether Python can read the pattern. Patterns in Go's own syntax are left to the API server."""
    try:
        compile_pattern(pattern)
    except (ValueError, TypeError):
        return False
    return True


def _exclusive(schema: Node) -> Node:
    """Exclusive bounds: CRDs mark a bound with true, current JSON Schema has it as the value."""
    sides = (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum"))
    return {key: schema[bound] for key, bound in sides if schema.get(key) is True and bound in schema}


def _rest(schema: Node) -> Node:
    rest = schema.get("additionalProperties")
    if isinstance(rest, dict):
        return {"additionalProperties": structural_schema(rest)}
    open_ended = schema.get("x-kubernetes-preserve-unknown-fields") or schema.get("x-kubernetes-embedded-resource")
    return {} if schema.get("type") != "object" or open_ended or rest else {"additionalProperties": False}

"""A CRD's structural schema as a closed JSON Schema."""

from typing import Any

import pytest

from gitgpu.load.explain.repairs import DEFAULTS
from gitgpu.load.validate.keywords import UNIQUE_BY
from gitgpu.objects.schema.structural import structural_schema
from tests.helping.cases import for_each

TEXT = {"type": "string"}


@for_each(
    ("schema", "expected"),
    [
        ({"type": "integer", "minimum": 1, "maximum": 9, "multipleOf": 2}, None),
        ({"type": "string", "minLength": 1, "maxLength": 9, "pattern": "^a$", "enum": ["a"]}, None),
        ({"type": "array", "minItems": 1, "maxItems": 2, "items": {"type": "string"}}, None),
        (
            {"type": "object", "x-kubernetes-preserve-unknown-fields": True, "minProperties": 1, "maxProperties": 2},
            {"type": "object", "minProperties": 1, "maxProperties": 2},
        ),
        ({"type": "string", "pattern": r"^\\pZ(?P<a>a"}, TEXT),
        ({"type": "string", "description": "A text.", "default": "a", "nullable": True, "format": "hostname"}, TEXT),
        ({"type": "string", "format": "date-time"}, {"type": "string", "format": "date-time"}),
        ({"type": "string", "x-kubernetes-int-or-string": True, "maxLength": 3, "format": "date-time"}, ...),
        (
            {"type": "integer", "minimum": 1, "exclusiveMinimum": True},
            {"type": "integer", "minimum": 1, "exclusiveMinimum": 1},
        ),
        (
            {"type": "integer", "maximum": 1, "exclusiveMaximum": True},
            {"type": "integer", "maximum": 1, "exclusiveMaximum": 1},
        ),
        ({"type": "integer", "maximum": 1, "exclusiveMaximum": False}, {"type": "integer", "maximum": 1}),
        ({"type": "integer", "exclusiveMaximum": True}, {"type": "integer"}),
        ({"type": "integer", "exclusiveMaximum": 4}, {"type": "integer", "exclusiveMaximum": 4}),
    ],
)
def test_the_structural_form_of_a_schema(schema: dict[str, Any], expected: Any) -> None:
    wanted = schema if expected is None else expected
    if expected is ...:
        wanted = {"type": ["integer", "string"], "maxLength": 3}
    assert structural_schema(schema) == wanted


@for_each(
    ("more", "expected"),
    [
        ({}, {"additionalProperties": False}),
        ({"additionalProperties": False}, {"additionalProperties": False}),
        ({"additionalProperties": True}, {}),
        ({"additionalProperties": {**TEXT, "default": "a"}}, {"additionalProperties": TEXT}),
        ({"x-kubernetes-preserve-unknown-fields": True}, {}),
        ({"x-kubernetes-embedded-resource": True}, {"properties": {"metadata": {"type": "object"}}}),
    ],
)
def test_fields_that_are_not_in_the_schema(more: dict[str, Any], expected: dict[str, Any]) -> None:
    assert structural_schema({"type": "object", **more}) == {"type": "object", **expected}


def test_an_embedded_resource_keeps_its_own_fields() -> None:
    schema = {"type": "object", "x-kubernetes-embedded-resource": True, "properties": {"spec": TEXT}}
    assert structural_schema(schema)["properties"] == {"spec": TEXT, "metadata": {"type": "object"}}


@pytest.mark.parametrize("keyword", ["allOf", "anyOf", "oneOf"])
def test_conditions_do_not_close_an_object(keyword: str) -> None:
    """A condition names only the fields that it is about."""
    condition = {"type": "object", "properties": {"a": {"type": "object", "description": "A."}}}
    schema = structural_schema({"type": "object", keyword: [condition]})
    assert schema == {
        "type": "object",
        keyword: [{"type": "object", "properties": {"a": {"type": "object"}}}],
        "additionalProperties": False,
    }


def test_a_negated_condition_does_not_close_an_object() -> None:
    schema = structural_schema({"type": "object", "not": {"type": "object", "description": "A."}})
    assert schema == {"type": "object", "not": {"type": "object"}, "additionalProperties": False}


@for_each(
    ("more", "expected"),
    [
        ({"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"]}, {UNIQUE_BY: ["name"]}),
        ({"x-kubernetes-list-type": "set"}, {"uniqueItems": True}),
        ({"uniqueItems": True}, {"uniqueItems": True}),
        ({"x-kubernetes-list-type": "atomic", "uniqueItems": False}, {}),
    ],
)
def test_items_that_must_differ(more: dict[str, Any], expected: dict[str, Any]) -> None:
    assert structural_schema({"type": "array", **more}) == {"type": "array", **expected}


def test_a_field_with_a_default_need_not_be_written() -> None:
    properties = {"a": TEXT, "b": {**TEXT, "default": "x"}}
    schema = {"type": "object", "required": ["a", "b"], "properties": properties}
    assert structural_schema(schema)["required"] == ["a"]
    assert "required" not in structural_schema({**schema, "required": ["b"]})
    assert DEFAULTS not in structural_schema(schema)


def test_the_default_of_a_mapping_gives_values_for_missing_fields() -> None:
    schema = {"type": "object", "required": ["a", "b"], "properties": {"a": TEXT, "b": TEXT}, "default": {"a": 5}}
    assert structural_schema(schema)[DEFAULTS] == {"a": "5"}

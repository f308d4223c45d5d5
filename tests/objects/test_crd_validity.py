"""Which value each keyword in a CRD's schema can have, as in the API server."""

from typing import Any

from gitgpu.objects.schema.crd_validity import is_schema
from tests.helping.cases import for_each

FLAGS = (
    *("nullable", "uniqueItems", "x-kubernetes-int-or-string"),
    *("x-kubernetes-embedded-resource", "x-kubernetes-preserve-unknown-fields"),
)
SIZES = ("minLength", "minItems", "minProperties", "maxLength", "maxItems", "maxProperties")
SHAPES: dict[str, tuple[list[Any], list[Any]]] = {
    "type": (["array", "boolean", "integer", "number", "object", "string"], ["text", "null", 5, ["object"]]),
    **{key: (["a"], [5, None]) for key in ("pattern", "format", "x-kubernetes-list-type")},
    **{key: ([-1, 0, 1.5], ["1", True]) for key in ("minimum", "maximum")},
    **{key: ([True, False, -1, 1.5], ["1", None]) for key in ("exclusiveMinimum", "exclusiveMaximum")},
    **{key: ([0, 1], [-1, 1.5, "1", True]) for key in SIZES},
    **{key: ([True, False], [0, "true"]) for key in FLAGS},
    **{key: ([[], ["a"]], ["a", [1]]) for key in ("required", "x-kubernetes-list-map-keys")},
    "enum": ([["a", 1]], ["a"]),
    **{key: ([[], [{"type": "object"}]], [{"type": "object"}, {}, "a", 5]) for key in ("allOf", "anyOf", "oneOf")},
    **{key: ([{}], [[], "a", True]) for key in ("properties", "items", "not")},
    "additionalProperties": ([{}, True, False], [[], "a"]),
    "multipleOf": ([0.5, 1], [0, -1, "1"]),
    "x-kubernetes-validations": (
        [[{"rule": "true"}]],
        [[{"message": "a"}], [{"rule": "true"}, {"rule": 1}], [{"rule": 1}], "a", ["a"]],
    ),
}


@for_each("keyword", SHAPES)
def test_the_value_of_a_keyword(keyword: str) -> None:
    valid, invalid = SHAPES[keyword]
    assert [value for value in valid if not is_schema({keyword: value})] == []
    assert [value for value in invalid if is_schema({keyword: value})] == []


AROUND: dict[str, Any] = {
    "properties": lambda schema: {"a": schema},
    **{key: lambda schema: [{}, schema] for key in ("allOf", "anyOf", "oneOf")},
    **{key: lambda schema: schema for key in ("items", "not", "additionalProperties")},
}


@for_each("keyword", AROUND)
def test_a_schema_inside_a_schema_is_checked(keyword: str) -> None:
    assert is_schema({keyword: AROUND[keyword]({"type": "string"})})
    assert not is_schema({keyword: AROUND[keyword]({"type": "text"})})


def test_a_list_of_type_map_names_its_keys() -> None:
    by_key = {"x-kubernetes-list-type": "map"}
    assert not is_schema(by_key)
    assert is_schema({**by_key, "x-kubernetes-list-map-keys": ["name"]})
    assert is_schema({"x-kubernetes-list-type": "set"})

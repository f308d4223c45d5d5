"""The checker reaches the same verdict as jsonschema, with three intended differences."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft7Validator, ValidationError, validators

from gitgpu.load.validate.compiler import Dialect, compile_schema
from gitgpu.load.validate.formats import FORMATS
from gitgpu.load.validate.keywords import UNIQUE_BY
from tests.load.test_checker import CASES, SCHEMAS
from tests.rules.objects.documents import SCALARS, documents, mutants

UNFORMATTED = Dialect(formats=dict.fromkeys(FORMATS, lambda _: True))  # jsonschema checks formats only on demand


@pytest.mark.parametrize(
    ("schema", "value", "ours", "theirs"),
    [
        ({"type": "integer"}, 5.0, False, True),  # Kubernetes does not decode 5.0 as an integer
        ({"pattern": "^a$"}, "a\n", False, True),  # $ matches only at the end of the text
        ({"pattern": r"^\d$"}, "\u0661", False, True),  # \d matches only 0 to 9
    ],
)
def test_known_differences_from_jsonschema(schema: Any, value: Any, ours: bool, theirs: bool) -> None:
    assert compile_schema(schema)(value) is ours
    assert Draft7Validator(schema).is_valid(value) is theirs


def oracle(schema: Any) -> Any:
    """jsonschema without the known differences."""

    def pattern(_: Any, wanted: str, value: Any, __: Any) -> Iterator[ValidationError]:
        if isinstance(value, str) and not re.search(wanted, value, re.ASCII):
            yield ValidationError("pattern")

    def unique(_: Any, keys: list[str], value: Any, __: Any) -> Iterator[ValidationError]:
        if not isinstance(value, list):
            return
        names = [[item.get(key) for key in keys] for item in value if isinstance(item, dict)]
        if not Draft7Validator({"uniqueItems": True}).is_valid(names):
            yield ValidationError("unique")

    extend: Any = validators.extend
    kinds = Draft7Validator.TYPE_CHECKER.redefine("integer", lambda _, value: type(value) is int)
    return extend(Draft7Validator, {"pattern": pattern, UNIQUE_BY: unique}, type_checker=kinds)(schema)


LEAVES = st.sampled_from(
    [
        *[{"type": name} for name in ("string", "integer", "number", "boolean", "null", "array", "object")],
        *[case[0] for case in CASES if "$ref" not in json.dumps(case[0])],
        {"type": ["integer", "object", "null"], "minimum": 1, "required": ["a"]},
        {"type": "string", "pattern": "^[a-z]+$", "maxLength": 3},
        {"enum": ["a", 1, True, None, [1], {"a": 1}]},
    ]
)


def _wider(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    members = st.dictionaries(st.sampled_from("abc"), inner, max_size=3)
    listed = st.lists(inner, min_size=1, max_size=3)
    return st.one_of(
        st.fixed_dictionaries({"properties": members, "additionalProperties": inner | st.booleans()}),
        st.fixed_dictionaries({"type": st.just("object"), "patternProperties": members, "propertyNames": inner}),
        st.fixed_dictionaries({"items": inner, "type": st.sampled_from(["array", ["array", "string"]])}),
        st.fixed_dictionaries({"not": inner}),
        st.fixed_dictionaries({"if": inner, "then": inner, "else": inner}),
        *[st.fixed_dictionaries({word: listed}) for word in ("allOf", "anyOf", "oneOf")],
    )


KEYS = st.sampled_from(["a", "b", "c", "x-a"])
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=50, deadline=None)
@given(schema=st.recursive(LEAVES, _wider, max_leaves=5), values=st.lists(VALUES, min_size=1, max_size=8))
def test_any_schema_gets_the_verdict_of_jsonschema(schema: Any, values: list[Any]) -> None:
    check, reference = compile_schema(schema), oracle(schema)
    for value in values:
        assert check(value) is reference.is_valid(value), value


@pytest.mark.parametrize("path", SCHEMAS, ids=lambda path: path.stem)
@settings(max_examples=2, deadline=None)
@given(data=st.data())
def test_documents_get_the_verdict_of_jsonschema(path: Path, data: st.DataObject) -> None:
    schema = json.loads(path.read_text("utf-8").replace("^(?i)", "(?i)^"))
    document = data.draw(documents(schema))
    check, reference = compile_schema(schema, UNFORMATTED), oracle(schema)
    for value in (document, data.draw(mutants(document)), data.draw(mutants(document))):
        assert check(value) is reference.is_valid(value), value

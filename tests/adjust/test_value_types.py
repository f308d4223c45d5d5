"""The types of chart values: where they come from, and which values have them."""

from typing import Any

from gitgpu.adjust.values import expected_type, is_of_type
from tests.helping.cases import for_each


@for_each(
    ("value", "wanted", "fits"),
    [
        (True, "true or false", True),
        ("true", "true or false", False),
        (1, "true or false", False),
        ([], "a list", True),
        ({}, "a list", False),
        ({}, "a mapping", True),
        ("a", "a mapping", False),
        (None, "a mapping", True),
        ([], "", True),
        (1, "", True),
    ],
)
def test_a_value_has_a_type(value: Any, wanted: str, fits: bool) -> None:
    assert is_of_type(value, wanted) is fits


@for_each(
    ("samples", "wanted"),
    [
        ([{"a": {"b": True}}], "true or false"),
        ([{"a": {"b": []}}], "a list"),
        ([{"a": {"b": {}}}], "a mapping"),
        ([{"a": {"b": "x"}}, {"a": {"b": 1}}], ""),
        ([{"a": {"b": "x"}}, {"a": {"b": []}}], "a list"),
        ([{"a": {"b": {}}}, {"a": {"b": []}}], "a mapping"),
        ([{"a": []}, {}], ""),
        ([], ""),
    ],
)
def test_the_first_sample_that_shows_a_type_has_it(samples: list[Any], wanted: str) -> None:
    assert expected_type(("a", "b"), None, samples) == wanted

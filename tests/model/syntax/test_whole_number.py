"""Whole numbers in texts."""

from gitgpu.model.syntax.whole_number import whole_number
from tests.helping.cases import for_each


@for_each(
    ("text", "number"),
    [("0", 0), ("08", 8), ("9" * 18, 10**18 - 1), ("", None), ("-1", None), ("1.0", None), (" 1", None), ("²", None),
     ("٣", None), ("9" * 19, None), ("9" * 5000, None)],
)  # fmt: skip
def test_only_ascii_digits_that_a_field_can_hold(text: str, number: int | None) -> None:
    assert whole_number(text) == number

"""Version ranges contain the versions that their operators allow."""

import operator

from hypothesis import given
from hypothesis import strategies as st

from gitgpu.model.syntax.bounds import bounds
from tests.helping.cases import for_each

SIGNS = {">=": operator.ge, "<=": operator.le, ">": operator.gt, "<": operator.lt, "": operator.eq}
numbers = st.integers(0, 10**6)


@given(numbers, st.integers(0, 10**6) | st.floats(0, 1e6), st.sampled_from(sorted(SIGNS)))
def test_a_sign_means_what_it_says(limit: int, value: float, sign: str) -> None:
    assert bounds(f"{sign}{limit}").holds(value) is SIGNS[sign](value, limit)


@given(numbers, numbers, numbers | st.floats(0, 1e6))
def test_a_range_has_both_ends(low: int, high: int, value: float) -> None:
    assert bounds(f"{low}..{high}").holds(value) is (low <= value <= high)


@for_each(
    ("text", "inside", "outside"),
    [
        ("4", [4], [3, 5, 3.5]),
        (">4", [4.5, 5], [4, 0]),
        ("<4", [0, 3, 3.5], [4]),
        ("4..8", [4, 8, 5.5], [3, 9]),
        ("8..4", [], [4, 6, 8]),
        ("<0", [], [0]),
        (">=0", [0], [-1]),
        ("007", [7], [6]),
    ],
)
def test_which_numbers_are_within_bounds(text: str, inside: list[float], outside: list[float]) -> None:
    assert [value for value in inside + outside if bounds(text).holds(value)] == inside


def test_numbers_of_any_length_are_fine() -> None:
    long = "9" * 5000
    assert bounds(f"<={long}").holds(1e300)
    assert not bounds(f">{long}").holds(1e300)
    assert not bounds(f"{long}..{long}").holds(1e300)

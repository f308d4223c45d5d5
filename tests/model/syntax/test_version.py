"""Versions are compared as numbers, not as text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitgpu.model.syntax.version import minor, version
from tests.helping.cases import for_each

parts = st.lists(st.integers(0, 10**6), min_size=1, max_size=4).map(tuple)


@for_each(
    ("text", "numbers"),
    [
        ("1.34", (1, 34)),
        ("v1.34.2-aks1", (1, 34, 2)),
        ("535.161.08", (535, 161, 8)),
        ("12.8", (12, 8)),
        ("13", (13,)),
        ("1.30.", (1, 30)),
        ("1.2rc1", (1, 2)),
    ],
)
def test_the_numbers_of_a_version(text: str, numbers: tuple[int, ...]) -> None:
    assert version(text) == numbers


@for_each("text", ["", "v", "latest", "-1", ".5", " 1", "x1", "vv1", "٣.٤"])
def test_what_is_not_a_version(text: str) -> None:
    with pytest.raises(ValueError, match="is not a version"):
        version(text)


@given(parts, parts)
def test_order_is_that_of_the_numbers(numbers: tuple[int, ...], other: tuple[int, ...]) -> None:
    first, second = ".".join(map(str, numbers)), ".".join(map(str, other))
    assert (version(first) < version(second)) == (numbers < other)
    assert version(f"v{first}-x.9") == version(first)


def test_a_minor_is_major_and_minor() -> None:
    assert [minor(text) for text in ("1.34.2", "v1.34", "1.30", "1")] == ["1.34", "1.34", "1.30", "1"]
    assert version("1.9") < version("1.10")

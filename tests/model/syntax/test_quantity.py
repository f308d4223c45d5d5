"""Quantities are exact numbers, whatever suffix is used."""

from decimal import Decimal
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitgpu.model.syntax.quantity import SUFFIXES, quantity
from tests.helping.cases import for_each

DECIMAL = ["n", "u", "m", "", "k", "M", "G", "T", "P", "E"]
NONE = "1K 1ki 1kI Gi 1GiB 12Gx 1_000 1,5 1e 1e3Ki e3 0x10 . - --1 1e999"
BINARY = ["", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"]


@for_each(
    ("text", "number"),
    [
        ("0", "0"), (4, "4"), ("100m", "0.1"), ("500m", "0.5"), ("1.5", "1.5"), ("1k", "1000"), ("1Ki", "1024"),
        ("1.5Gi", "1610612736"), (".5Gi", "536870912"), ("5.", "5"), ("1E", "1e18"), ("1Ei", "1152921504606846976"),
        ("1e3", "1000"), ("1E3", "1000"), ("1e-3", "0.001"), ("12E+2", "1200"), ("-1", "-1"), ("+1Mi", "1048576"),
        ("1n", "1e-9"), ("1u", "1e-6"), ("0.1", "0.1"),
    ],
)  # fmt: skip
def test_the_number_of_a_quantity(text: str | int, number: str) -> None:
    assert quantity(text) == Decimal(number)


@for_each("text", ["", " 1", "1 ", "1\n", "٣", *NONE.split()])
def test_what_is_not_a_quantity(text: str) -> None:
    with pytest.raises(ValueError, match="is not a quantity"):
        quantity(text)


def test_each_suffix_is_a_power_above_the_one_before() -> None:
    for steps, base in ((DECIMAL, 1000), (BINARY, 1024)):
        numbers = [quantity(f"1{suffix}") for suffix in steps]
        assert [high / low for low, high in pairwise(numbers)] == [base] * (len(steps) - 1)
    assert {*DECIMAL, *BINARY} == SUFFIXES.keys()


suffixes = st.sampled_from(sorted(SUFFIXES))
whole = st.integers(-(10**9), 10**9)


@given(whole, whole, suffixes)
def test_adding_and_comparing_is_that_of_the_numbers(number: int, other: int, suffix: str) -> None:
    first, second = quantity(f"{number}{suffix}"), quantity(f"{other}{suffix}")
    assert first + second == quantity(f"{number + other}{suffix}")
    assert (first < second) == (number < other)
    assert quantity(f"{number}{suffix}") == number * quantity(f"1{suffix}")


@given(whole, st.integers(0, 9999), suffixes)
def test_a_fraction_is_exact(number: int, part: int, suffix: str) -> None:
    text = f"{number}.{part:04}"
    wanted = Fraction(text) * Fraction(SUFFIXES[suffix])
    assert Fraction(quantity(text + suffix)) == wanted

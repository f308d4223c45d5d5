"""Rows as text: what a refresh owns is as it says, all else is as it was, and a second refresh changes nothing."""

from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from gitgpu.refresh.row import OwnedRow
from gitgpu.write.row_text import is_generated, row_text

NAMES = st.sampled_from(["Standard_A", "Standard_B", "Standard_C"])
PRICES = st.dictionaries(NAMES, st.floats(0.01, 99).map(lambda usd: round(usd, 3)))
MAYBE = PRICES | st.none()
KEYS = st.fixed_dictionaries({"date": st.just("2026-11-23"), "onDemand": MAYBE, "spot": MAYBE})
OTHERS = st.dictionaries(st.sampled_from(["notes", "unit", "currency"]), st.sampled_from(["x", "- y", "# z", "1"]))


def row(keys: dict[str, Any], day: str = "2026-11-23") -> OwnedRow:
    """A row of prices."""
    return OwnedRow("prices", "eastus", True, keys, "https://prices.azure.com", day)


@given(KEYS, KEYS, OTHERS)
def test_owned_keys_are_new_and_all_others_stay(
    first: dict[str, Any], second: dict[str, Any], own: dict[str, str]
) -> None:
    text = row_text("", row(first))
    text += "".join(f"# about {key}\n{yaml.safe_dump({key: value})}" for key, value in own.items())
    again = row_text(text, row(second, "2027-02-01"))
    data = yaml.safe_load(again)
    assert {key: data[key] for key in own} == own
    assert all(f"# about {key}\n{key}:" in again for key in own)
    assert {key: data.get(key) for key in second} == second
    assert is_generated(again)
    assert row_text(again, row(second, "2027-02-01")) == again
    assert row_text(again, row(second, "2027-02-02")) == again  # the same facts a day later


@pytest.mark.parametrize("day", ["2026-12-22", "2026-12-23"])
def test_a_date_is_kept_for_thirty_days(day: str) -> None:
    keys = {"date": "2026-11-23", "onDemand": {"Standard_A": 1.0}}
    text = row_text("", row(keys))
    assert (row_text(text, row(keys | {"date": day}, day)) == text) is (day == "2026-12-22")


def test_a_row_that_says_nothing_is_not_a_row() -> None:
    keys = dict.fromkeys(("date", "onDemand", "spot"))
    text = row_text("", row({"onDemand": {"Standard_A": 1.0}}))
    assert row_text("", row(keys)) == row_text(text, row(keys)) == ""
    assert "notes: x" in row_text(f"{text}notes: x\n", row(keys))

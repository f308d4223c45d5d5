"""How text meets a terminal."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitgpu.report.screen import fit, paint, printable, width


@pytest.mark.parametrize(
    ("text", "columns"),
    [("", 0), ("abc", 3), ("日本", 4), ("e\u0301", 1), ("ｱ", 1), ("Ａ", 2), ("größe", 5)],
)
def test_width(text: str, columns: int) -> None:
    """Wide characters take two columns, combining marks none."""
    assert width(text) == columns


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\tb", "a    b"),
        ("\x1b[31m", "\\x1b[31m"),
        ("\u202egnp", "\\u202egnp"),
        ("a\u00a0b", "a\\xa0b"),
        ("\ud800", "\\ud800"),
        ("日本 ü", "日本 ü"),
    ],
)
def test_printable(text: str, shown: str) -> None:
    """What cannot be seen is spelled out; what can be seen stays."""
    assert printable(text) == shown


@given(st.text(), st.integers(3, 40))
def test_fit_stays_within_its_room(text: str, room: int) -> None:
    """A text is whole, or it is a beginning that ends with dots."""
    fitted = fit(text, room)
    assert width(fitted) <= room
    assert fitted == text or (fitted.endswith("...") and text.startswith(fitted[:-3]))


def test_paint() -> None:
    """Codes are only written when they are wanted and there is something to colour."""
    assert paint("x", "1", colour=True) == "\x1b[1mx\x1b[0m"
    assert paint("x", "1", colour=False) == "x"
    assert paint("", "1", colour=True) == ""

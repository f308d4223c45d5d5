"""The date of the price list behind an amount."""

from gitgpu.report.price_dates import date_range, price_date_note
from tests.helping.cases import for_each


@for_each(
    ("days", "text"),
    [
        ([], ""),
        ([""], ""),
        (["2026-06-18", "", "2026-06-18"], "2026-06-18"),
        (["2026-11-24", "2026-06-18", "2026-08-01"], "2026-06-18 to 2026-11-24"),
    ],
)
def test_dates_as_text(days: list[str], text: str) -> None:
    assert date_range(days) == text
    assert price_date_note(days) == (f", prices of {text}" if text else "")

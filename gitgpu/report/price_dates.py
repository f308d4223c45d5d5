"""The date of the price list behind an amount, as text."""

from collections.abc import Iterable

from gitgpu.model.dates import OLD, is_old


def date_range(days: Iterable[str]) -> str:
    """`2026-06-18`, or `2026-06-18 to 2026-11-24` if the lists are of several days; empty if there is none."""
    known = sorted({day for day in days if day})
    return " to ".join(known[:1] + known[1:][-1:])


def price_date_note(days: Iterable[str], today: str = "") -> str:
    """`, prices of 2026-06-18`, with ` (old)` if they are, compared with `today`; empty if there is no price list."""
    known_days = {day for day in days if day}
    mark = " (old)" if any(is_old(day, today) for day in known_days) else ""
    return f", prices of {date_range(known_days)}{mark}" if known_days else ""


def old_prices(days: Iterable[str], today: str) -> str:
    """`prices are of 2026-06-18, more than 90 days old`; empty if none is old, compared with `today`."""
    old = {day for day in days if day and is_old(day, today)}
    return f"prices are of {date_range(old)}, more than {OLD.days} days old" if old else ""

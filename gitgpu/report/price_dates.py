"""The date of the price list behind an amount, as text."""

from collections.abc import Iterable


def date_range(days: Iterable[str]) -> str:
    """`2026-06-18`, or `2026-06-18 to 2026-11-24` if the lists are of several days; empty if there is none."""
    known = sorted({day for day in days if day})
    return " to ".join(known[:1] + known[1:][-1:])


def priced_on(days: Iterable[str]) -> str:
    """`, prices of 2026-06-18`; empty if there is no price list."""
    dates = date_range(days)
    return f", prices of {dates}" if dates else ""

"""Prices on a page, in words that a reader needs no legend for."""

from collections.abc import Sequence

from gitgpu.report.simulation.text import span
from gitgpu.simulate.explain.forecast import HOURS

TO = (" &ndash; ", " &rarr; ")  # between two values, and where the second is the smaller one
PERIODS = (("an hour", 1, 2), ("a month", HOURS, 0))  # name, hours, digits
Price = tuple[float | None, float | None]  # what is paid an hour and what that cannot exceed, each None if unknown


def upper_bound(price: float | None) -> str:
    """The words before an upper bound of a price; "" if it is the price itself."""
    return "up to " if price is None else ""


def price_range(low: Price, high: Price, hours: int, digits: int) -> str:
    """The prices at minimum and maximum replicas for a number of hours, as `up to $4.51 (from $1.50)`."""
    bounds = (low[1], high[1])
    least, most = (_amount(bound, hours, digits) for bound in bounds)
    if low[1] is None or high[1] is None:
        return span(least, most, TO)
    if high[0] is None and low[1] < high[1]:
        return f"up to {most} (from {least})"
    return upper_bound(None if low[0] is None else high[0]) + span(least, most, TO, bounds)


def prices(low: Price, high: Price) -> Sequence[str]:
    """The price ranges of an hour and of a month."""
    return [price_range(low, high, hours, digits) for _, hours, digits in PERIODS]


def _amount(bound: float | None, hours: int, digits: int) -> str:
    return "unknown" if bound is None else f"${bound * hours:,.{digits}f}"

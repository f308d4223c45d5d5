"""Prices on a page, readable without a legend."""

from collections.abc import Sequence

from gitgpu.report.simulation.amounts import span
from gitgpu.simulate.forecast import HOURS, Price

ARROW = " &rarr; "
TO = (" &ndash; ", ARROW)  # the separator of two values, and that if the second is smaller
PERIODS = (("an hour", 1, 2), ("a month", HOURS, 0))  # name, hours, digits


def price_range(low: Price, high: Price, hours: int, digits: int) -> str:
    """The prices at minimum and maximum replicas for a number of hours, as `up to $4.51 (from $1.50)`."""
    minimum, maximum = _amount(low.maximum, hours, digits), _amount(high.maximum, hours, digits)
    if low.maximum is None or high.maximum is None:
        return span(minimum, maximum, TO)
    # Of two upper bounds, the larger comes first, as the amount to budget.
    if high.exact is None and low.maximum < high.maximum:
        return f"up to {maximum} (from {minimum})"
    is_bound = low.exact is None or high.exact is None
    return ("up to " if is_bound else "") + span(minimum, maximum, TO, (low.maximum, high.maximum))


def prices(low: Price, high: Price) -> Sequence[str]:
    """The price ranges per hour and per month."""
    return [price_range(low, high, hours, digits) for _, hours, digits in PERIODS]


def _amount(bound: float | None, hours: int, digits: int) -> str:
    return "unknown" if bound is None else f"${bound * hours:,.{digits}f}"

"""Ranges of whole numbers in the spec: 4, ">=4", "<8", "4..8".

The ends are floats, because 4.5 GiB of memory fit ">4".
"""

from math import inf, nextafter
from typing import NamedTuple


class Bounds(NamedTuple):
    """Both ends are included. `high` is None if there is no upper end."""

    low: float = 0
    high: float | None = None

    def holds(self, value: float) -> bool:
        """Whether the value is inside."""
        return self.low <= value and (self.high is None or value <= self.high)


def bounds(text: str) -> Bounds:
    """The range of a text whose form is valid. An empty one, such as "8..4", contains nothing."""
    if ".." in text:
        low, high = text.split("..")
        return Bounds(float(low), float(high))
    number = float(text.lstrip("<>="))
    if text.startswith(">"):
        return Bounds(number if "=" in text else nextafter(number, inf))
    if text.startswith("<"):
        return Bounds(0, number if "=" in text else nextafter(number, -inf))
    return Bounds(number, number)

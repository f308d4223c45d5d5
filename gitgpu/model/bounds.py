"""Whole-number ranges as the spec writes them: 4, ">=4", "<8", "4..8"."""

from typing import NamedTuple


class Bounds(NamedTuple):
    """Both ends included; high is None where there is no upper end."""

    low: int = 0
    high: int | None = None

    def holds(self, value: float) -> bool:
        """Is the value inside?"""
        return self.low <= value and (self.high is None or value <= self.high)


def bounds(text: str) -> Bounds:
    """The range that a text of proven shape stands for. An empty one, such as "8..4", holds nothing."""
    if ".." in text:
        low, high = text.split("..")
        return Bounds(int(low), int(high))
    number = int(text.lstrip("<>="))
    if text.startswith(">"):
        return Bounds(number + (not text.startswith(">=")))
    if text.startswith("<"):
        return Bounds(0, number - (not text.startswith("<=")))
    return Bounds(number, number)

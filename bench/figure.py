"""A figure: a measurement compared with another, and the ratio that is the goal."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class Bench:
    """A run: where figures may write, how often subjects take turns, how large a fleet, and which folder has peers."""

    folder: Path
    rounds: int
    clusters: int
    peers: Path


class Goal(NamedTuple):
    """A bound from above, or from below with `least`."""

    bound: float
    least: bool = False

    def __str__(self) -> str:
        return f"{'>=' if self.least else '<='} {self.bound:g}"


class Row(NamedTuple):
    """One line of the table. `measured` is None when it was skipped; `note` says why, or gives the medians."""

    figure: str
    against: str
    measured: float | None
    goal: Goal | None
    note: str = ""

    @property
    def verdict(self) -> str:
        """The row in one word."""
        if self.measured is None or self.goal is None:
            return "skipped"
        if self.goal.least:
            return "ok" if self.measured >= self.goal.bound else "under"
        return "ok" if self.measured <= self.goal.bound else "over"


@dataclass(frozen=True, slots=True)
class Figure:
    """Measures; `name` is what it is called on the command line."""

    name: str
    summary: str
    measure: Callable[[Bench], Iterator[Row]]

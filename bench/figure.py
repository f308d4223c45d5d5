"""A figure: a measurement compared with another, and the ratio that is the goal."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class Bench:
    """The settings of a run: the directory of the figure, the number of turns and clusters, and where peers are."""

    folder: Path
    rounds: int
    clusters: int
    peers: Path


class Goal(NamedTuple):
    """An upper bound, or a lower bound with `least`."""

    bound: float
    least: bool = False

    def __str__(self) -> str:
        return f"{'>=' if self.least else '<='} {self.bound:g}"


class Row(NamedTuple):
    """A line of the table. `measured` is None if it was skipped; `note` gives the reason or the medians."""

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
    """A measurement; `name` selects it on the command line."""

    name: str
    summary: str
    measure: Callable[[Bench], Iterator[Row]]

"""The share of typical mistakes that lint or validate detects."""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from bench.figure import Bench, Figure, Goal, Row
from gitgpu.check import fleet_rules
from gitgpu.conform import object_rules
from gitgpu.jobs import shares, spread, usual
from tests.additions import in_fleet, in_overlays
from tests.mutations import MUTATIONS, noticed

Slip = TypeVar("Slip")
GOAL = Goal(0.95, least=True)


def measure(_: Bench) -> Iterator[Row]:
    """No time is measured here; the goals are what the tests hold."""
    slips = _caught(lambda slip: bool(noticed(slip)), MUTATIONS)
    yield _share("mistakes detected by lint or validate", "all mutations", slips)
    own = [*_caught(in_overlays, object_rules()), *_caught(in_fleet, fleet_rules())]
    yield _share("bad example of each rule, added to an overlay or the fleet", "all rules", own)


def _caught(is_caught: Callable[[Slip], bool], slips: Sequence[Slip]) -> list[bool]:
    """Which slips are noticed, on all cores."""
    jobs = usual(len(slips), 1)
    parts = spread(lambda part: list(map(is_caught, slips[slice(*part)])), shares(len(slips), jobs), jobs)
    return [caught for part in parts for caught in part]


def _share(what: str, against: str, caught: list[bool]) -> Row:
    return Row(what, against, sum(caught) / len(caught), GOAL, f"{sum(caught)} of {len(caught)}")


FIGURE = Figure("mutations", "the share of mistakes that are detected", measure)

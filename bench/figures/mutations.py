"""The share of typical mistakes that lint or validate reports."""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from bench.figure import Bench, Figure, Goal, Row
from gitgpu.jobs import processes, shares, spread
from gitgpu.rules.fleet_rulebook import fleet_rules
from gitgpu.rules.object_rulebook import object_rules
from tests.helping.additions import in_fleet, in_overlays
from tests.helping.mutations import MUTATIONS, noticed

Mistake = TypeVar("Mistake")
GOAL = Goal(0.95, least=True)


def measure(_: Bench) -> Iterator[Row]:
    """Measures no time. The tests assert the same goals."""
    of_mutations = _caught(lambda mistake: bool(noticed(mistake)), MUTATIONS)
    yield _share("mistakes detected by lint or validate", "all mutations", of_mutations)
    of_rules = [*_caught(in_overlays, object_rules()), *_caught(in_fleet, fleet_rules())]
    yield _share("the mistake of each rule, in an overlay or the fleet", "all rules", of_rules)


def _caught(is_caught: Callable[[Mistake], bool], mistakes: Sequence[Mistake]) -> list[bool]:
    """Whether each mistake is reported. Uses all cores."""
    jobs = processes(None, len(mistakes), 1)
    parts = spread(lambda part: list(map(is_caught, mistakes[slice(*part)])), shares(len(mistakes), jobs), jobs)
    return [caught for part in parts for caught in part]


def _share(what: str, against: str, caught: list[bool]) -> Row:
    return Row(what, against, sum(caught) / len(caught), GOAL, f"{sum(caught)} of {len(caught)}")


FIGURE = Figure("mutations", "the share of mistakes that are detected", measure)

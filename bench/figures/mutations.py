"""How many slips of people are noticed: the share of the mutations that lint or validate tells of."""

from collections.abc import Iterator

from bench.figure import Bench, Figure, Goal, Row
from tests.mutations import MUTATIONS, noticed


def measure(_: Bench) -> Iterator[Row]:
    """No time is measured here; the goal is what the tests hold."""
    caught = sum(bool(noticed(one)) for one in MUTATIONS)
    note = f"{caught} of {len(MUTATIONS)}"
    goal = Goal(0.95, least=True)
    yield Row("slips noticed by lint or validate", "all mutations", caught / len(MUTATIONS), goal, note)


FIGURE = Figure("mutations", "the share of slips that are noticed", measure)

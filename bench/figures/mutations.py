"""How many slips of people are noticed: the share of the mutations that lint or validate tells of."""

from collections.abc import Iterator

from bench.figure import Bench, Figure, Goal, Row
from gitgpu.check import fleet_rules
from gitgpu.conform import object_rules
from tests.additions import in_fleet, in_overlays
from tests.mutations import MUTATIONS, noticed

GOAL = Goal(0.95, least=True)


def measure(_: Bench) -> Iterator[Row]:
    """No time is measured here; the goals are what the tests hold."""
    yield _share("slips noticed by lint or validate", "all mutations", [bool(noticed(one)) for one in MUTATIONS])
    objects, fleets = map(in_overlays, object_rules()), map(in_fleet, fleet_rules())
    yield _share("each rule's own slip, put into an overlay or the fleet", "all rules", [*objects, *fleets])


def _share(what: str, against: str, caught: list[bool]) -> Row:
    return Row(what, against, sum(caught) / len(caught), GOAL, f"{sum(caught)} of {len(caught)}")


FIGURE = Figure("mutations", "the share of slips that are noticed", measure)

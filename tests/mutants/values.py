"""The sources of values for random changes: all examples, by location, and the texts of the case itself."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from tests.helping.nested import entries
from tests.mutants.vocabulary import Vocabulary
from tests.rules.case_documents import ABOUT
from tests.rules.named_examples import every_example
from tests.rules.recorded_cases import Bodies, Side

Place = tuple[str | int, ...]

_TEMPLATES: tuple[Place, ...] = (
    ("spec", "jobTemplate", "spec", "template"),
    ("spec", "jobTargetRef", "template"),
    ("spec", "template"),
)
WORKLOADS = ("Pod", "CronJob", "Job", "Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "ScaledJob")


class Stock(NamedTuple):
    """Where new values come from: values of examples by place, the words of the rule, and examples to add."""

    values: Mapping[Place, Sequence[Any]]
    known: Vocabulary
    others: Sequence[str]
    side: Side


def stock(side: Side, known: Vocabulary, others: Sequence[str]) -> Stock:
    """The values to choose from for a rule."""
    return Stock(_values(side), known, others, side)


@cache
def _values(side: Side) -> Mapping[Place, Sequence[Any]]:
    """The values in all examples by place, and the keys of mappings at (place, "{}"), each once."""
    by_place: dict[Place, dict[str, Any]] = defaultdict(dict)
    for body in _bodies(side):
        for place, value in places(body, ()):
            by_place[usual_place(body["kind"], place)].setdefault(repr(value), value)
            if place:
                by_place[*usual_place(body["kind"], place[:-1]), "{}"].setdefault(repr(place[-1]), place[-1])
    return {place: list(values.values()) for place, values in by_place.items()}


def _bodies(side: Side) -> Iterator[Mapping[str, Any]]:
    for rule in side.rules:
        for _, text in every_example(rule):
            yield from side.bodies(text)


def texts(bodies: Bodies) -> Sequence[str]:
    """Every text in some documents."""
    return [text for body in bodies for _, text in places(body, ()) if isinstance(text, str)]


def places(value: Any, place: Place) -> Iterator[tuple[Place, Any]]:
    """Every value in a document with its place."""
    yield place, value
    for key, inner in entries(value):
        if key != ABOUT:
            yield from places(inner, (*place, key))


def usual_place(kind: str, place: Place) -> Place:
    """A place as it is called for values of several examples: any item of a list, any kind of workload."""
    cut = next((len(start) for start in _TEMPLATES if kind in WORKLOADS and place[: len(start)] == start), 0)
    owner = "Pod" if cut else kind
    return (owner, *("*" if isinstance(key, int) else key for key in place[cut:]))

"""At most one outcome for each field, although several parts of the import may examine an object."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from gitgpu.adopt.adoption import Fate, Outcome
from gitgpu.source import Pointer

_FIRST = (Fate.WRONG, Fate.INEXPRESSIBLE)  # decide first, so that a success never hides a loss


class _Taken(NamedTuple):
    """The pointers of an object that have an outcome, and these with all pointers above them."""

    pointers: set[Pointer]
    around: set[Pointer]


def distinct(outcomes: Iterable[Outcome]) -> Iterator[Outcome]:
    """The outcomes without those about a field that has one already, or about what is above or below it.

    INFERRED outcomes are evidence for keys that no document states, so they are kept in addition.
    """
    all_outcomes = list(outcomes)
    by_object: dict[int, _Taken] = {}  # by id, as `gone` is: objects and outcomes contain mappings, which have no hash
    removed: set[int] = set()
    for outcome in sorted(all_outcomes, key=lambda outcome: outcome.fate not in _FIRST):
        if outcome.fate is Fate.INFERRED:
            continue
        key = id(outcome.observed)
        if key not in by_object:
            by_object[key] = _Taken(set(), set())
        taken = by_object[key]
        above = [outcome.pointer[:length] for length in range(len(outcome.pointer) + 1)]
        if outcome.pointer in taken.around or not taken.pointers.isdisjoint(above):
            removed.add(id(outcome))
            continue
        taken.pointers.add(outcome.pointer)
        taken.around.update(above)
    yield from (outcome for outcome in all_outcomes if id(outcome) not in removed)

"""One outcome for each field: of several parts of adopting that look at an object, one decides."""

from collections.abc import Iterable, Iterator

from gitgpu.adopt.adoption import Fate, Outcome
from gitgpu.source import Pointer

_FIRST = (Fate.WRONG, Fate.INEXPRESSIBLE)  # what is lost is never hidden by what is not


def distinct(outcomes: Iterable[Outcome]) -> Iterator[Outcome]:
    """The outcomes without those about a field that another one is about, or about what is around it or in it.

    Inferences are evidence for keys that no document says, so they stay beside the outcome of what they were read from.
    """
    every = list(outcomes)
    known: dict[int, set[Pointer]] = {}
    kept: set[int] = set()
    for outcome in sorted(every, key=lambda each: each.fate not in _FIRST):
        taken = known.setdefault(id(outcome.observed), set())
        if outcome.fate is not Fate.INFERRED and any(_overlap(outcome.pointer, other) for other in taken):
            continue
        kept.add(id(outcome))
        if outcome.fate is not Fate.INFERRED:
            taken.add(outcome.pointer)
    yield from (outcome for outcome in every if id(outcome) in kept)


def _overlap(first: Pointer, other: Pointer) -> bool:
    length = min(len(first), len(other))
    return first[:length] == other[:length]

"""Searches for changes of examples that detect mutants of a rule."""

import random
import time
from collections import Counter
from collections.abc import Iterator, Sequence

from gitgpu.rule import AnyRule
from tests.mutants.faults import Fault, Trial, is_shown, shows, trial
from tests.mutants.reached import watched
from tests.mutants.stacked import changed, shorter
from tests.mutants.trials import others_of_folder, trials, with_kinds
from tests.mutants.values import stock
from tests.mutants.vocabulary import vocabulary
from tests.rules.named_examples import every_example
from tests.rules.recorded_cases import Case, Side, examples, recorded_of

OFTEN = 20  # trials with the same lines and conditions are enough, mostly
STEPS = 6  # on top of an example, at most


def search(side: Side, rule: AnyRule, left: list[Fault], seconds: float, seed: int) -> Iterator[Trial]:
    """Changes of the examples that show faults; removes these faults from `left`."""
    lines = {line for fault in left for line in range(fault.mutant.line, fault.mutant.last + 1)}
    until = time.process_time() + seconds / 4
    for case in trials(side, rule, lines, random.Random(seed)):
        if not left or time.process_time() > until:
            break
        tried = trial(side, rule, case)
        if tried is not None and (shown := [fault for fault in left if shows(side, fault, tried)]):
            left[:] = [fault for fault in left if fault not in shown]
            yield tried
    until = time.process_time() + seconds * 3 / 4
    yield from _stacked(side, rule, left, (until, random.Random(seed)))


def _stacked(side: Side, rule: AnyRule, left: list[Fault], limits: tuple[float, random.Random]) -> Iterator[Trial]:
    """Changes on top of changes that reach something new in the rule."""
    until, rng = limits
    known, named, see = vocabulary(rule), examples(side, rule), watched(rule)
    values = stock(side, known, [*others_of_folder(side, rule), *with_kinds(side, rule, known.words)])
    bases = [Case(name) for name, _ in every_example(rule)] + list(recorded_of(side, rule))
    reached: set[object] = set()
    met: Counter[frozenset[object]] = Counter()
    while left and time.process_time() < until:
        case: Case | None = rng.choice(bases[-40:] if rng.random() < 0.5 else bases)
        for _ in range(rng.choice((1, 1, 1, 2, 3))):
            case = case and changed(case, named, values, rng)
        tried = case and trial(side, rule, case)
        if not tried or not case:
            continue
        see.marks.clear()
        is_shown(side, see.rule, tried)  # for its marks
        marks = frozenset(see.marks)
        fresh = marks - reached
        reached |= fresh
        met[marks] += 1
        if fresh and len(case.steps) < STEPS:
            bases.append(case)
        if met[marks] > OFTEN and rng.random() < 0.7:
            continue  # nearly the same has been tried
        shown = [fault for fault in left if see.reaches(fault.mutant) and shows(side, fault, tried)]
        if shown:
            left[:] = [fault for fault in left if fault not in shown]
            yield _shortest(side, rule, tried, shown)


def _shortest(side: Side, rule: AnyRule, tried: Trial, shown: Sequence[Fault]) -> Trial:
    """The case without steps that it does not need to show some faults."""

    def is_enough(case: Case) -> bool:
        again = trial(side, rule, case)
        return again is not None and all(shows(side, fault, again) for fault in shown)

    return tried._replace(case=shorter(tried.case, is_enough))

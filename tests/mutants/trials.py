"""The changes of a rule's examples that are tried first: single ones in order, then pairs."""

import random
import sys
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache

from gitgpu.rule import AnyRule
from gitgpu.rules.kinds import Kinds
from tests.mutants.settings import with_second, with_settings
from tests.mutants.single_steps import steps
from tests.mutants.vocabulary import Vocabulary, vocabulary
from tests.rules.named_examples import every_example
from tests.rules.recorded_cases import Case, Side, examples

PAIRS = 2000  # of changes that are tried together, at most
ADDED = 100  # examples that are added to another one, at most


def trials(side: Side, rule: AnyRule, lines: Collection[int], rng: random.Random) -> Iterator[Case]:
    """Each change of the examples of a rule with the words on these lines of its module, then with all its words.

    Then the examples of the other rules of the folder, alone and added to its own, and two changes at once.
    """
    near, every = vocabulary(rule, lines), vocabulary(rule)
    single = _shuffled(_single(side, rule, near), rng) + _shuffled(_with_settings(side, rule), rng)
    yield from single
    yield from _with_others(rule, list(others_of_folder(side, rule)), rng)
    yield from _pairs(single, rng)
    fresh = _shuffled(_single(side, rule, every), rng)
    yield from fresh
    yield from _with_others(rule, list(with_kinds(side, rule, every.words)), rng)
    yield from _pairs(single + fresh, rng)


def _shuffled(cases: Iterable[Case], rng: random.Random) -> list[Case]:
    order = list(cases)
    rng.shuffle(order)
    return order


def _single(side: Side, rule: AnyRule, known: Vocabulary) -> Iterator[Case]:
    bodies = examples(side, rule)
    for name, _ in every_example(rule):
        yield from (Case(name, (step,)) for step in steps(side, bodies(name), known))


def _with_others(rule: AnyRule, others: Sequence[str], rng: random.Random) -> Iterator[Case]:
    """Other examples alone, then some of them added to each example of the rule."""
    yield from map(Case, others)
    added = [Case(name, ({"add": other},)) for name, _ in every_example(rule) for other in others]
    yield from _shuffled(added, rng)[:ADDED]


def _pairs(single: Sequence[Case], rng: random.Random) -> Iterator[Case]:
    """Two changes of the same example at once."""
    for _ in range(PAIRS if single else 0):
        first, second = rng.choice(single), rng.choice(single)
        if first.of == second.of:
            yield Case(first.of, (*first.steps, *second.steps))


def _with_settings(side: Side, rule: AnyRule) -> Iterator[Case]:
    """For rules about fleets: settings of other examples, in the documents of an example and in more of them."""
    for name, text in every_example(rule):
        bodies = side.bodies(text)
        yield from (Case(name, (step,)) for step in with_settings(side, bodies))
        yield from (Case(name, changes) for changes in with_second(side, bodies))


def others_of_folder(side: Side, rule: AnyRule) -> Iterator[str]:
    """The examples of the other rules of the folder."""
    folder = rule.check.__module__.rpartition(".")[0]
    for other in side.rules:
        if other is not rule and other.check.__module__.rpartition(".")[0] == folder:
            yield from (f"{other.code} {name}" for name, _ in every_example(other))


def with_kinds(side: Side, rule: AnyRule, words: Sequence[str]) -> Iterator[str]:
    """Examples of any rule with objects of the kinds that a rule or its folder names, a few for each kind."""
    declared = getattr(sys.modules[rule.check.__module__.rpartition(".")[0]], "KINDS", None)
    read = sorted(kind for _, kind in declared.about | declared.context) if isinstance(declared, Kinds) else []
    kinds = dict.fromkeys((*words, *read))
    names = dict.fromkeys(name for kind in kinds for name in _by_kind(side)[kind])
    yield from (name for name in names if name.partition(" ")[0] != rule.code)


@cache
def _by_kind(side: Side) -> Mapping[str, Sequence[str]]:
    kinds: dict[str, list[str]] = defaultdict(list)
    for other in side.rules:
        for name, text in every_example(other):
            for kind in {body["kind"] for body in side.bodies(text)}:
                kinds[kind].append(f"{other.code} {name}")
    return defaultdict(list, {kind: names[:: max(len(names) // 6, 1)] for kind, names in kinds.items()})

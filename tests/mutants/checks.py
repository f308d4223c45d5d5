"""What rules report in their examples and recorded cases, as checks of the code that they share.

A fault is detected if a rule reports something else than without it, which would also change a snapshot. Thousands of
checks run in a few seconds.
"""

import functools
import gc
import hashlib
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, NamedTuple

from gitgpu.diagnostic import Diagnostic
from gitgpu.rule import AnyRule
from tests.rules.fleet.cases import SIDE as FLEETS
from tests.rules.fleet.examples import findings
from tests.rules.named_examples import every_example
from tests.rules.objects.cases import SIDE as OBJECTS
from tests.rules.objects.samples import conformed, shared_norms
from tests.rules.recorded_cases import Case, Side, applied, examples, outcome, recorded_of

SIDES = {"object": OBJECTS, "fleet": FLEETS}
EVERY_RULE: dict[str, Callable[[str], Iterable[Diagnostic]]] = {"object": conformed, "fleet": findings}
KEPT = {"shared_norms", "_schema", "_example"}  # caches that are slow to fill


class Check(NamedTuple):
    """Documents of a rule. `run` returns a digest of the findings in them."""

    name: str
    run: Callable[[], str]


def checks(kind: str) -> Iterator[Check]:
    """The examples and cases of all object rules or of all fleet rules: by their own rule, the examples by all."""
    side = SIDES[kind]
    shared_norms()  # before any fork
    for rule in side.rules:
        for case in (*(Case(name) for name, _ in every_example(rule)), *recorded_of(side, rule)):
            yield Check(f"{rule.code} {case.text}", partial(_own, side, rule, case))
        for name, text in every_example(rule):
            yield Check(f"{rule.code} {name}, all rules", partial(_every, kind, text))


def _own(side: Side, rule: AnyRule, case: Case) -> str:
    subjects = side.subjects(applied(case, examples(side, rule)))
    return _digest([] if subjects is None else list(outcome(side, rule.check, subjects)))


def _every(kind: str, text: str) -> str:
    diagnostics = EVERY_RULE[kind](text)
    return _digest(sorted(f"{fault.code} {fault.severity} {fault.object} {fault.pointer}" for fault in diagnostics))


def _digest(lines: Any) -> str:
    return hashlib.sha256(repr(lines).encode()).hexdigest()[:16]


def forget() -> None:
    """Clears caches of earlier checks, so that the measurement of the next one is complete."""
    shared_norms().run_cache.clear()
    for cached in _caches():
        cached.cache_clear()


@functools.cache
def _caches() -> list[Any]:
    caches = [each for each in gc.get_objects() if isinstance(each, functools._lru_cache_wrapper)]
    near = (
        "gitgpu.objects",
        "gitgpu.rules",
        "tests.rules.objects.samples",
        "tests.rules.objects.cases",
        "tests.rules.fleet.examples",
    )
    return [each for each in caches if str(each.__module__).startswith(near) and each.__name__ not in KEPT]

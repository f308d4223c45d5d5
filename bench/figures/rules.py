"""Each object rule at 5,000 objects of its kinds, against walking through the same objects once."""

from collections.abc import Iterator
from typing import Any

from bench.figure import Bench, Figure, Goal, Row
from bench.measure import call
from gitgpu.conform import object_rules
from gitgpu.conform.objects import Objects
from tests.conform.copies import copied
from tests.conform.test_rule_work import PAIRS

# Without the rules that compare every object with every other one, of which a cluster has few.
SLOWEST = 5  # rules that get a row of their own


def measure(bench: Bench) -> Iterator[Row]:
    """The rules that take longest for an object. Ten times the objects are to take at most twelve times as long."""
    rules = [rule for rule in object_rules() if rule.code not in PAIRS]
    sizes = (bench.clusters // 2, 5 * bench.clusters)
    taken = sorted(((*_times(rule.check, rule.bad, sizes), rule.code) for rule in rules), reverse=True)
    for many, few, code in taken[:SLOWEST]:
        yield Row(
            f"rule {code}, {sizes[1]:,} objects",
            f"{sizes[0]:,} objects",
            many / few,
            Goal(12),
            f"{many:.2f} / {few:.2f} s",
        )
    whole = sum(many for many, _, _ in taken)
    few = sum(few for _, few, _ in taken)
    what = f"all {len(taken)} rules, each at {sizes[1]:,} objects"
    yield Row(what, f"{sizes[0]:,} objects", whole / few, Goal(12), f"{whole:.1f} / {few:.1f} s")


def _times(check: Any, text: str, sizes: tuple[int, int]) -> tuple[float, float]:
    list(check(copied(text, 2)))  # what is computed once from the catalog
    few, many = (_time(check, copied(text, number)) for number in sizes)
    return many, few


def _time(check: Any, objects: Objects) -> float:
    return call(lambda: list(check(objects))).seconds


FIGURE = Figure("rules", "each object rule at many objects of its kinds", measure)

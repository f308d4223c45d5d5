"""Each object rule at 5,000 objects of its kinds, against a tenth of them."""

from collections.abc import Iterator, Sequence
from typing import Any

from bench.figure import Bench, Figure, Goal, Row
from bench.measure import call
from gitgpu.jobs import processes, shares, spread
from gitgpu.objects.items import gather
from gitgpu.objects.objects import Item
from gitgpu.rule import Rule
from gitgpu.rules.object_rulebook import object_rules
from tests.rules.objects.copies import copied, copies
from tests.rules.objects.samples import KUBERNETES, shared_norms
from tests.rules.objects.test_rule_work import DAEMONS, PAIRS

SLOWEST = 5  # rules that get a row of their own


def measure(bench: Bench) -> Iterator[Row]:
    """The slowest rules. Ten times the objects may take at most twelve times as long."""
    # Without rules whose work is a product: daemons times pools, or Kustomizations times the objects that they apply.
    rules = [rule for rule in object_rules() if rule.code not in DAEMONS | PAIRS]
    sizes = (bench.clusters // 2, 5 * bench.clusters)
    jobs = processes(None, len(rules), 1)  # one process measures both times of a rule, so that they are comparable
    parts = spread(lambda part: [_times(rule, sizes) for rule in rules[slice(*part)]], shares(len(rules), jobs), jobs)
    taken = sorted((times for part in parts for times in part), reverse=True)
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


def _times(rule: Rule[Any, Any], sizes: tuple[int, int]) -> tuple[float, float, str]:
    """The seconds for the larger and for the smaller size, and the code."""
    list(rule.check(copied(rule.bad, 2)))  # warm-up: fills caches that depend only on the catalog
    items = copies(rule.bad, sizes[1])
    few, many = (_time(rule, items[:number]) for number in sizes)
    return many, few, rule.code


def _time(rule: Rule[Any, Any], items: Sequence[Item]) -> float:
    objects = gather(items, KUBERNETES, shared_norms(), closed=True)
    return call(lambda: list(rule.check(objects))).seconds


FIGURE = Figure("rules", "each object rule at many objects of its kinds", measure)

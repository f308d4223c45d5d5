"""The work of every rule grows linearly with the objects. Executed lines are counted, not seconds."""

from typing import Any

import pytest

from gitgpu.conform import object_rules
from gitgpu.conform.objects import Objects
from gitgpu.conform.rule import Finding
from gitgpu.rule import Rule
from tests.conform.copies import copied
from tests.work import lines

FEW, MANY = 10, 100
MOST = 12  # times the work for ten times the objects
RULES = object_rules()
# These compare objects with each other: names with names, daemons with pools, Kustomizations with what they apply.
PAIRS = {
    *("CNF015", "GIT013", "GIT014", "GIT017", "POD036", "SHR080"),
    *("STK001", "STK002", "STK005", "STK016", "STK031", "STK091"),
}


@pytest.mark.parametrize("rule", [rule for rule in RULES if rule.code not in PAIRS], ids=lambda rule: rule.name)
def test_ten_times_the_objects_take_at_most_twelve_times_the_work(rule: Rule[Any, Any]) -> None:
    for text in (rule.bad, rule.good):
        list(rule.check(copied(text, 2)))  # what is computed once from the catalog
        few, found_in_few = _work(rule, text, FEW)
        many, found_in_many = _work(rule, text, MANY)
        growth = (MANY + found_in_many) / (FEW + found_in_few) / (MANY / FEW)  # what is reported has to be written
        assert many <= MOST * few * max(1, growth), f"{rule.code}: {few} lines for {FEW} objects, {many} for {MANY}"


def test_many_exporters_on_one_pool_are_reported_once_each() -> None:
    (rule,) = (rule for rule in RULES if rule.code == "STK002")
    pool, exporter = rule.bad.split("---\n")[0], rule.bad.split("---\n")[-1]

    def of(number: int) -> Objects:
        named = (exporter.replace("name: dcgm-exporter,", f"name: exporter-{at},") for at in range(number))
        return copied("---\n".join([pool.replace("name: gpu}", "name: default}"), *named]), 1)

    found: list[Finding] = []
    few, many = of(FEW), of(MANY)
    work = lines(lambda: found.extend(rule.check(few)))
    assert lines(lambda: found.extend(rule.check(many))) <= MOST * work
    assert len(found) == FEW - 1 + MANY - 1


def _work(rule: Rule[Any, Any], text: str, number: int) -> tuple[int, int]:
    objects = copied(text, number)
    found: list[Any] = []
    return lines(lambda: found.extend(rule.check(objects))), len(found)

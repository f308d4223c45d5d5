"""No rule crashes on null anywhere in an object: Kubernetes schemas allow it, even as an item of a list."""

from collections.abc import Iterator
from typing import Any

import pytest

from gitgpu.rule import Rule
from tests.nested import values_inside
from tests.rule_cases import Case, applied, examples, outcome
from tests.rule_examples import every_example
from tests.rules.objects.cases import SIDE

Place = tuple[str | int, ...]


@pytest.mark.parametrize("rule", SIDE.rules, ids=[rule.code for rule in SIDE.rules])
def test_null_crashes_no_rule(rule: Rule[Any, Any]) -> None:
    assert [case.text for case in _cases(rule) if _fails(rule, case)] == []


def _cases(rule: Rule[Any, Any]) -> Iterator[Case]:
    for name, _ in every_example(rule):
        for number, body in enumerate(examples(SIDE, rule)(name)):
            for place, _ in values_inside(body):
                if len(place) > 1:
                    yield Case(name, ({"set": [number, *place], "to": None},))


def _fails(rule: Rule[Any, Any], case: Case) -> bool:
    try:
        list(outcome(SIDE, rule.check, SIDE.subjects(applied(case, examples(SIDE, rule))) or ()))
    except Exception:  # noqa: BLE001  any exception is a failure
        return True
    return False

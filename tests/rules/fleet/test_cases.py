"""What fleet rules report in the recorded cases, which cover conditions that their examples do not."""

from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from gitgpu.rule import Rule
from tests.rule_cases import recorded_of, shown
from tests.rule_examples import by_subject
from tests.rules.fleet.cases import SIDE

RULES = [rule for rule in SIDE.rules if recorded_of(SIDE, rule)]


@pytest.mark.parametrize("rule", RULES, ids=[rule.code for rule in RULES])
def test_the_cases_of_a_rule(rule: Rule[Any, Any], snapshot: SnapshotAssertion) -> None:
    assert shown(SIDE, rule) == snapshot(extension_class=by_subject(rule))

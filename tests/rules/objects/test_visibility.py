"""How much of a cluster each rule needs to see: derived from its examples, verified by removing objects."""

from collections.abc import Iterator

import pytest

from gitgpu.objects.objects import Objects
from gitgpu.rules.object_findings import object_findings
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.rules.object_rulebook import object_rules
from gitgpu.rules.visibility import Visibility, needed_visibility, visibility_text
from tests.rules.objects.samples import KUBERNETES, read, shared_norms

RULES = {rule.code: rule for rule in object_rules()}


@pytest.mark.parametrize("code", sorted(RULES))
def test_the_derived_visibility_of_a_rule_agrees_with_lint(code: str) -> None:
    rule = RULES[code]
    needed = needed_visibility(rule, shared_norms(), KUBERNETES)
    assert needed, "its bad example breaks nothing"
    given = read(rule.bad)
    alone = {
        finding.code for each in given for finding in object_findings([each], KUBERNETES, shared_norms(), closed=False)
    }
    together = {finding.code for finding in object_findings(given, KUBERNETES, shared_norms(), closed=False)}
    assert (code in alone) == (Visibility.OBJECT in needed)
    assert (code in alone | together) == (needed[0] is not Visibility.WHOLE)


@pytest.mark.parametrize(
    ("code", "needed"),
    [
        ("CNF004", (Visibility.OBJECT,)),
        ("CNF012", (Visibility.WHOLE,)),
        ("POD022", (Visibility.CLUSTER,)),
        ("CNF015", (Visibility.OBJECT, Visibility.WHOLE)),
    ],
)
def test_the_visibility_that_some_rules_need(code: str, needed: tuple[Visibility, ...]) -> None:
    assert needed_visibility(RULES[code], shared_norms(), KUBERNETES) == needed


def test_a_rule_has_the_lowest_and_the_highest_visibility() -> None:
    needed = needed_visibility(RULE, shared_norms(), KUBERNETES)
    assert needed[0] is Visibility.OBJECT
    assert visibility_text((Visibility.OBJECT,)) == "one object"
    assert visibility_text((Visibility.CLUSTER, Visibility.WHOLE)).startswith(
        "the objects of the cluster; for more findings the whole"
    )

"""How much of a cluster each rule needs to see: derived from its examples, verified by removing objects."""

import pytest

from gitgpu.diagnostic import Diagnostic
from gitgpu.objects.objects import Given
from gitgpu.rules.object_findings import object_findings
from gitgpu.rules.object_rulebook import object_rules
from gitgpu.rules.visibility import Visibility, needed_visibility, visibility_text
from tests.helping.cases import for_each
from tests.rules.invented.three_namespaces import RULE
from tests.rules.named_examples import Subject, subjects
from tests.rules.objects.samples import KUBERNETES, read, shared_norms

RULES = {rule.code: rule for rule in object_rules()}


SUBJECTS = subjects(RULES.values())


@pytest.mark.parametrize("subject", SUBJECTS.values(), ids=SUBJECTS)
def test_the_derived_visibility_of_each_rule_agrees_with_lint(subject: Subject) -> None:
    for rule in subject:
        needed = needed_visibility(rule, shared_norms(), KUBERNETES)
        assert needed, f"the bad example of {rule.code} breaks nothing"
        given = read(rule.bad)
        alone = {finding.code for each in given for finding in _among_others([each])}
        together = {finding.code for finding in _among_others(given)}
        assert (rule.code in alone) == (Visibility.OBJECT in needed), rule.code
        assert (rule.code in alone | together) == (needed[0] is not Visibility.WHOLE), rule.code


def _among_others(given: list[Given]) -> list[Diagnostic]:
    return object_findings(given, KUBERNETES, shared_norms(), closed=False)


@for_each(
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

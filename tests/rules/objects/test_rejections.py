"""What a rule says about the fate of an object: its help text, `rejects` and `never_ready` agree."""

import re

from gitgpu.diagnostic import Severity
from gitgpu.rules.fleet_rulebook import fleet_rules
from gitgpu.rules.object_rulebook import object_rules

RULES = object_rules()
BEFORE_STORAGE = r"(API server|admission webhook|admission policy)"
REJECTED = re.compile(rf"{BEFORE_STORAGE}[^.;]*\brejects\b")
# The words that mean the same. A text uses only one, so that it is found.
OTHER_WORDS = re.compile(rf"{BEFORE_STORAGE}[^.;:,]*\b(denies|refuses|requires|forbids)\b|\bCRD\b[^.;,]*\brejects\b")


def test_a_rule_rejects_if_its_help_says_so() -> None:
    texts = {rule.code: f"{rule.summary} {rule.help}" for rule in RULES}
    assert [code for code, text in texts.items() if OTHER_WORDS.search(text)] == []
    assert {rule.code for rule in RULES if rule.rejects} == {code for code in texts if REJECTED.search(texts[code])}


def test_a_rule_about_an_object_that_does_not_work_is_an_error() -> None:
    assert [rule.code for rule in RULES if rule.rejects and rule.never_ready] == []
    assert {rule.severity for rule in RULES if rule.rejects or rule.never_ready} == {Severity.ERROR}


def test_no_fleet_rule_says_what_becomes_of_an_object() -> None:
    assert not [rule.code for rule in fleet_rules() if rule.rejects or rule.never_ready]


def test_only_an_error_of_a_fleet_is_kept_because_nodes_run_with_it() -> None:
    assert not [rule.code for rule in RULES if rule.of_running_nodes]
    kept = [rule for rule in fleet_rules() if rule.of_running_nodes]
    assert {rule.severity for rule in kept} == {Severity.ERROR}
    assert "AGP001" not in {rule.code for rule in kept}  # without a resourceId, node pools cannot be built

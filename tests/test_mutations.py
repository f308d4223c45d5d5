"""Mistakes in overlays and fleets are reported, and there are no false alarms."""

import pytest

from gitgpu.rules.fleet_rulebook import fleet_rules
from gitgpu.rules.object_rulebook import object_rules
from tests.helping.additions import ALONE, alone, in_fleet, in_overlays
from tests.helping.mutations import FLEET, MUTATIONS, Mutation, noticed
from tests.rules.named_examples import Subject, subjects

OBJECT_RULES, FLEET_RULES = subjects(object_rules()), subjects(fleet_rules())
FILES = sorted({mutation.file for mutation in MUTATIONS})


def test_there_are_enough_mutations_and_all_differ() -> None:
    assert len(MUTATIONS) >= 60
    assert len(set(MUTATIONS)) == len(MUTATIONS)


@pytest.mark.parametrize("file", FILES)
def test_correct_fleets_have_no_findings(file: str) -> None:
    assert noticed(Mutation(file, "", "")) == []


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.name)
def test_each_mutation_is_noticed(mutation: Mutation) -> None:
    assert bool(noticed(mutation)) is not bool(mutation.why_not), mutation.why_not


def test_some_mutations_are_of_the_fleet() -> None:
    assert sum(mutation.file == FLEET for mutation in MUTATIONS) >= 10


@pytest.mark.parametrize("subject", OBJECT_RULES.values(), ids=OBJECT_RULES)
def test_every_object_rule_reports_its_example_in_an_overlay(subject: Subject) -> None:
    for rule in subject:
        assert in_overlays(rule) is (rule.code not in ALONE), f"{rule.code}: {ALONE.get(rule.code)}"
        assert alone(rule), rule.code


@pytest.mark.parametrize("subject", FLEET_RULES.values(), ids=FLEET_RULES)
def test_every_fleet_rule_reports_its_example_in_the_fleet(subject: Subject) -> None:
    assert [rule.code for rule in subject if not in_fleet(rule)] == []

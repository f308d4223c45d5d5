"""Mistakes in overlays and fleets are reported, and there are no false alarms."""

from typing import Any

import pytest

from gitgpu.rule import Rule
from gitgpu.rules.fleet_rulebook import fleet_rules
from gitgpu.rules.object_rulebook import object_rules
from tests.additions import ALONE, alone, in_fleet, in_overlays
from tests.mutations import FLEET, MUTATIONS, Mutation, noticed


def test_there_are_enough_mutations_and_all_differ() -> None:
    assert len(MUTATIONS) >= 60
    assert len(set(MUTATIONS)) == len(MUTATIONS)


@pytest.mark.parametrize("file", sorted({mutation.file for mutation in MUTATIONS}))
def test_correct_fleets_have_no_findings(file: str) -> None:
    assert noticed(Mutation(file, "", "")) == []


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.name)
def test_each_mutation_is_noticed(mutation: Mutation) -> None:
    assert bool(noticed(mutation)) is not bool(mutation.why_not), mutation.why_not


def test_some_mutations_are_of_the_fleet() -> None:
    assert sum(mutation.file == FLEET for mutation in MUTATIONS) >= 10


@pytest.mark.parametrize("rule", object_rules(), ids=lambda rule: rule.code)
def test_every_object_rule_reports_its_example_in_an_overlay(rule: Rule[Any, Any]) -> None:
    assert in_overlays(rule) is (rule.code not in ALONE), ALONE.get(rule.code)
    assert alone(rule)


@pytest.mark.parametrize("rule", fleet_rules(), ids=lambda rule: rule.code)
def test_every_fleet_rule_reports_its_example_in_the_fleet(rule: Rule[Any, Any]) -> None:
    assert in_fleet(rule)

"""Folders of fleet rules declare what their findings are about, and are imported only for fleets with such parts."""

from typing import Any

import pytest

from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet_rulebook import PARTS, fleet_rules, folders_for, rule_folders, rules_in
from tests.helping.cases import for_each
from tests.rules.fleet.examples import BASE, RULES, inputs_of

FOLDERS = rule_folders()


@pytest.fixture(scope="module")
def examples() -> list[Inputs]:
    """The fleet of each example. Created when a test runs, because every worker imports this module."""
    return [inputs_of(text) for rule in RULES for text in (rule.bad, rule.good)]


def parts_at(inputs: Inputs) -> dict[int, str]:
    """Which part of a fleet each document is, by the identity of its origin."""
    parts = {id(inputs.fleet.origin): "fleet"}
    for part in ("clusters", "pools", "workloads", "models", "teams"):
        parts |= {id(each.origin): part for each in getattr(inputs, part)}
    return parts


@pytest.mark.parametrize("folder", FOLDERS)
def test_each_finding_is_at_a_part_that_its_folder_declares(folder: str, examples: list[Inputs]) -> None:
    assert FOLDERS[folder]
    assert FOLDERS[folder] <= set(PARTS)
    reported: set[str] = set()
    for inputs in examples:
        parts = parts_at(inputs)
        for rule in rules_in(frozenset({folder})):
            reported |= {parts.get(id(finding.origin), rule.code) for finding in rule.check(inputs)}
    assert reported
    assert reported <= FOLDERS[folder]


@for_each("folder", [folder for folder, parts in FOLDERS.items() if "fleet" not in parts])
def test_without_the_parts_that_its_folder_declares_no_rule_finds_anything(folder: str) -> None:
    for rule in rules_in(frozenset({folder})):
        for text in rule.bad_examples:
            none: dict[str, Any] = dict.fromkeys(FOLDERS[folder], ())
            if "pools" in none:
                none["on"] = {}
            if "teams" in none:
                none["teams_by_cluster"] = {}
            inputs = inputs_of(text)._replace(**none)
            assert list(rule.check(inputs)) == [], rule.code


def test_a_fleet_without_workloads_imports_none_of_their_folders() -> None:
    inputs = inputs_of(BASE["Fleet"])
    assert not inputs.workloads
    codes = {rule.code for rule in rules_in(folders_for(inputs))}
    skipped = {rule.code for rule in rules_in(frozenset({"kaito", "scaling", "workloads"}))}
    assert skipped
    assert not skipped & codes
    assert codes < {rule.code for rule in fleet_rules()}

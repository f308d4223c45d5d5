"""Rooms of fleet rules declare what their findings are at, and are imported when a fleet has that."""

import pytest

from gitgpu.check import PARTS, fleet_rules, rooms, rules_for, rules_in
from gitgpu.model.inputs import Inputs
from tests.check.examples import BASE, RULES, inputs_of

ROOMS = rooms()


@pytest.fixture(scope="module")
def examples() -> list[Inputs]:
    """The fleet of each example; made when the tests run, because every worker imports this module."""
    return [inputs_of(text) for rule in RULES for text in (rule.bad, rule.good)]


def parts_at(inputs: Inputs) -> dict[int, str]:
    """The part of a fleet that a document is, by the identity of its origin."""
    found = {id(inputs.fleet.origin): "fleet"}
    for part in ("clusters", "pools", "workloads", "models"):
        found |= {id(each.origin): part for each in getattr(inputs, part)}
    return found


@pytest.mark.parametrize("room", ROOMS)
def test_each_finding_is_at_a_part_that_its_room_declares(room: str, examples: list[Inputs]) -> None:
    assert ROOMS[room]
    assert ROOMS[room] <= set(PARTS)
    found: set[str] = set()
    for inputs in examples:
        parts = parts_at(inputs)
        for rule in rules_in(frozenset({room})):
            found |= {parts.get(id(finding.origin), rule.code) for finding in rule.check(inputs)}
    assert found
    assert found <= ROOMS[room]


def test_a_fleet_without_workloads_needs_none_of_their_rooms() -> None:
    inputs = inputs_of(BASE["Fleet"])
    assert not inputs.workloads
    codes = {rule.code for rule in rules_for(inputs)}
    skipped = {rule.code for rule in rules_in(frozenset({"kaito", "scaling", "workloads"}))}
    assert skipped
    assert not skipped & codes
    assert codes < {rule.code for rule in fleet_rules()}

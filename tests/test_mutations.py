"""Slips in overlays and fleets are noticed, and nothing is said of what holds no slip."""

import pytest

from tests.mutations import FLEET, MUTATIONS, Mutation, noticed


def test_there_are_enough_and_each_is_another() -> None:
    assert len(MUTATIONS) >= 60
    assert len(set(MUTATIONS)) == len(MUTATIONS)


@pytest.mark.parametrize("file", sorted({one.file for one in MUTATIONS}))
def test_what_is_right_is_left_alone(file: str) -> None:
    assert noticed(Mutation(file, "", "")) == []


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda one: one.name)
def test_a_slip_is_noticed(mutation: Mutation) -> None:
    assert bool(noticed(mutation)) is not bool(mutation.why_not), mutation.why_not


def test_the_fleet_is_among_them() -> None:
    assert sum(one.file == FLEET for one in MUTATIONS) >= 10

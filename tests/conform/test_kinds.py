"""Rooms declare the kinds that their rules read. Nothing else changes what they find, and nothing else is found."""

import subprocess
import sys
from dataclasses import replace
from typing import Any

import pytest

from gitgpu.conform import gathered, item_of, object_rules
from gitgpu.conform.kinds import Kind, Kinds
from gitgpu.conform.objects import Item, Objects
from gitgpu.conform.rule import Rule, diagnose
from gitgpu.conform.rulebook import concerned, rooms, rules_in
from gitgpu.diagnostic import Diagnostic
from tests.conform.samples import KUBERNETES, measure, read

ROOMS = rooms()
RULES = object_rules()
each_room = pytest.mark.parametrize("room", ROOMS)


class Recorded(dict[Kind, list[Item]]):
    """The objects by kind, and for which kinds a rule has asked."""

    def __init__(self, known: dict[Kind, list[Item]]) -> None:
        super().__init__(known)
        self.asked: set[Kind] = set()

    def get(self, kind: Kind, default: Any = None) -> Any:
        """The objects of a kind."""
        self.asked.add(kind)
        return super().get(kind, default)


def items(text: str) -> list[Item]:
    """The objects of an example."""
    norms = measure()
    return [item_of(given, norms.contracts.clamp(KUBERNETES), norms)[0] for given in read(text)]


EXAMPLES = [(rule, items(text)) for rule in RULES for text in (rule.bad, rule.good)]


def of_room(room: str) -> list[tuple[Rule, list[Item]]]:
    """The rules of a room with the objects of their examples."""
    mine = set(rules_in(frozenset({room})))
    return [(rule, objects) for rule, objects in EXAMPLES if rule in mine]


def seen(objects: list[Item], *, closed: bool = True) -> Objects:
    """The objects as a rule gets them, with nothing remembered."""
    return gathered(objects, KUBERNETES, measure(), closed=closed)


def found(rule: Rule, objects: list[Item]) -> list[Diagnostic]:
    """What a rule says of objects on a cluster that has nothing else, and on one that may have."""
    return [fault for closed in (True, False) for fault in diagnose(rule, seen(objects, closed=closed))]


def visible(objects: list[Item], declared: Kinds) -> list[Item]:
    """The objects of the kinds that a room declares."""
    return [item for item in objects if declared.read(item.identity[:2])]


@each_room
def test_rules_find_the_same_when_only_the_declared_kinds_are_visible(room: str) -> None:
    for rule, objects in of_room(room):
        assert found(rule, visible(objects, ROOMS[room])) == found(rule, objects), rule.code


@each_room
def test_rules_ask_for_declared_kinds_alone(room: str) -> None:
    for rule, objects in of_room(room):
        for closed in (True, False):
            given = seen(objects, closed=closed)
            recorded = Recorded(given.sorted)
            list(rule.check(replace(given, sorted=recorded)))
            assert {kind for kind in recorded.asked if not ROOMS[room].read(kind)} == set(), rule.code


@each_room
def test_findings_are_at_objects_of_the_kinds_that_the_room_is_about(room: str) -> None:
    mine = rules_in(frozenset({room}))
    for _, objects in EXAMPLES:
        about = ROOMS[room]
        given = seen(objects)
        kinds = frozenset(item.identity[:2] for item in given.items)
        if not about.concern(kinds):
            assert [fault for rule in mine for fault in diagnose(rule, given)] == []


@each_room
def test_each_finding_is_at_a_kind_that_the_room_is_about(room: str) -> None:
    about = ROOMS[room]
    for rule, objects in of_room(room):
        at = {finding.item.identity[:2] for finding in rule.check(seen(objects))}
        assert {kind for kind in at if not about.concern(frozenset({kind}))} == set(), rule.code


@each_room
def test_declaring_less_than_is_read_is_noticed(room: str) -> None:
    """Without the kinds that findings are at, the examples find nothing: hiding what is declared shows."""
    about = ROOMS[room]._replace(beside=frozenset())
    for rule, objects in of_room(room):
        left = [item for item in objects if not about.read(item.identity[:2])]
        assert found(rule, left) == []
    assert any(found(rule, objects) for rule, objects in of_room(room))


def test_only_rooms_that_concern_what_is_there_are_imported() -> None:
    concerned_by_pools = concerned(frozenset({("karpenter.sh", "NodePool")}))
    assert {"nodepools", "requirements", "sizes", "kubernetes"} <= concerned_by_pools
    assert not {"kaito", "keda", "keda_triggers", "placement", "rdma"} & concerned_by_pools
    program = (
        "import sys; from gitgpu.conform.rulebook import concerned, rules_in\n"
        "rules_in(concerned(frozenset({('karpenter.sh', 'NodePool')})))\n"
        "print(*sorted({name.split('.')[3] for name in sys.modules if name.count('.') == 4 "
        "and name.startswith('gitgpu.conform.rules.')}))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == sorted(concerned_by_pools)

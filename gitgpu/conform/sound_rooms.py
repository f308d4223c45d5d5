"""Rules about our own objects: a room that found nothing in some objects is not asked about the same ones again.

The clusters of a fleet have most objects in common, and few are particular to one, such as its Flux Kustomizations. A
room declares all kinds that its rules read, and a test proves it: its answer follows from the objects of these kinds.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, TypeAlias

from gitgpu.conform.kinds import Kind
from gitgpu.conform.objects import Objects
from gitgpu.conform.rule import Rule, diagnose, diagnosed
from gitgpu.conform.rulebook import kinds_of, room_names, rooms
from gitgpu.diagnostic import Diagnostic

_MOST = 64  # sets of objects that are remembered for a room: a fleet has few kinds of cluster

Bodies: TypeAlias = tuple[Mapping[str, Any], ...]


def diagnosed_once(rules: Sequence[Rule], objects: Objects) -> list[Diagnostic]:
    """The breaches of some rules. Equal bodies must be one value (`held` sees to it): they are compared by identity."""
    if objects.present.difference(item.identity for item in objects.items):  # some do not fit their schemas
        return diagnosed(rules, objects)
    found: list[Diagnostic] = []
    unsound: set[str] = set()
    names = room_names(kinds_of(objects))
    views = {room: _view(room, objects) for room in dict.fromkeys(names[rule.code] for rule in rules)}
    memory = {room: _memory(room, objects) for room in views}
    keys = {room: tuple(map(id, view)) for room, view in views.items()}
    for rule in rules:
        room = names[rule.code]
        if keys[room] not in memory[room] and (faults := diagnose(rule, objects)):
            found += faults
            unsound.add(room)
    for room in views.keys() - unsound:
        if len(memory[room]) < _MOST:
            memory[room][keys[room]] = views[room]  # keeps the bodies alive, so that no other one gets these ids
    return found


def _memory(room: str, objects: Objects) -> dict[tuple[int, ...], Bodies]:
    """The sets of bodies in which a room has found nothing."""
    situation = (objects.kubernetes, objects.today, objects.closed, objects.beyond)
    return objects.always(("sound", room, situation), dict)


def _view(room: str, objects: Objects) -> Bodies:
    """The bodies that the rules of a room read."""
    return tuple(item.body for item in objects.items if _reads(room, item.identity[:2]))


@cache
def _reads(room: str, kind: Kind) -> bool:
    return rooms()[room].read(kind)

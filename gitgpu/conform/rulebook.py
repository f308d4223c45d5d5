"""The rules about Kubernetes objects, room by room. A room that does not concern what is there is not imported."""

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import TypeAlias

from gitgpu.conform import rules
from gitgpu.conform.kinds import Kind, Kinds
from gitgpu.conform.objects import Objects
from gitgpu.conform.rule import Rule
from gitgpu.diagnostic import Severity
from gitgpu.registry import collect, folders
from gitgpu.rule import Rule as AnyRule

Counts: TypeAlias = Callable[[Rule], bool]


@cache
def rooms() -> dict[str, Kinds]:
    """The rooms by name, each with the kinds that its rules read."""
    found = {}
    for name in folders(rules):
        declared = import_module(f"{rules.__name__}.{name}").KINDS
        if not isinstance(declared, Kinds):
            raise TypeError(f"{rules.__name__}.{name}.KINDS is a {type(declared).__name__}, not a Kinds")
        found[name] = declared
    return found


@cache
def concerned(present: frozenset[Kind]) -> frozenset[str]:
    """The rooms that can find something in objects of these kinds."""
    return frozenset(name for name, declared in rooms().items() if declared.concern(present))


@cache
def rules_in(names: frozenset[str]) -> tuple[Rule, ...]:
    """The rules of some rooms, in order of code."""
    return tuple(sorted((rule for name in names for rule in _room(name)), key=lambda rule: rule.code))


@cache
def _room(name: str) -> tuple[Rule, ...]:
    return collect(import_module(f"{rules.__name__}.{name}"), "RULE", AnyRule)


@cache
def room_names(present: frozenset[Kind]) -> dict[str, str]:
    """The room of each rule, by code, among the rooms that can find something in objects of these kinds."""
    return {rule.code: name for name in concerned(present) for rule in _room(name)}


def all_count(_: Rule) -> bool:
    """Does a rule count? Every one does, unless norms say otherwise."""
    return True


def every_rule() -> tuple[Rule, ...]:
    """The rules of all rooms."""
    return rules_in(frozenset(rooms()))


def kinds_of(objects: Objects) -> frozenset[Kind]:
    """The kinds of the objects that rules may look into."""
    return frozenset(item.identity[:2] for item in objects.items)


def rules_for(objects: Objects, counts: Counts = all_count) -> tuple[Rule, ...]:
    """The rules that count and can find something, in order of code: a finding is at an object that is there."""
    names = concerned(kinds_of(objects))
    return objects.always(("rules", names, counts), lambda: tuple(filter(counts, rules_in(names))))


def rules_about_ours(objects: Objects) -> tuple[Rule, ...]:
    """Those of these rules that look for what is broken in our own output, or not well made."""
    return rules_for(objects, _is_about_ours)


def _is_about_ours(rule: Rule) -> bool:
    return rule.severity is Severity.ERROR or rule.code.startswith("CNF")

"""The rules about Kubernetes objects, by folder. Rules that cannot find anything in the objects are not imported."""

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from importlib import import_module
from typing import TypeAlias

from gitgpu import registry
from gitgpu.objects.objects import Objects
from gitgpu.rule import Rule as AnyRule
from gitgpu.rules import objects as rules
from gitgpu.rules.kinds import Kind, Kinds
from gitgpu.rules.object_rule import Rule

Counts: TypeAlias = Callable[[Rule], bool]


@cache
def folders() -> dict[str, Kinds]:
    """The folders by name, each with the kinds that its rules read."""
    kinds = {}
    for name in registry.folders(rules):
        declared = import_module(f"{rules.__name__}.{name}").KINDS
        if not isinstance(declared, Kinds):
            raise TypeError(f"{rules.__name__}.{name}.KINDS is a {type(declared).__name__}, not a Kinds")
        kinds[name] = declared
    return kinds


@cache
def concerned_folders(present: frozenset[Kind]) -> frozenset[str]:
    """The folders that can find something in objects of these kinds."""
    return frozenset(name for name, declared in folders().items() if declared.concern(present))


@cache
def rules_in(names: frozenset[str]) -> tuple[Rule, ...]:
    """The rules of these folders, in order of code."""
    modules: list[tuple[str, str]] = []
    for name in names:
        modules += ((name, module) for module in _modules(name))
    return _sort_rules(modules)


@cache
def rules_about(present: frozenset[Kind]) -> tuple[Rule, ...]:
    """The rules that can find something in objects of these kinds, in order of code. No other rule is imported."""
    return _sort_rules(_concerned(present))


def folder_of(rule: Rule) -> str:
    """The name of the folder of a rule: gitgpu.rules.objects.<folder>.<module>."""
    return rule.check.__module__.split(".")[3]


def _concerned(present: frozenset[Kind]) -> Iterator[tuple[str, str]]:
    """The folder and module of each of these rules."""
    for name in concerned_folders(present):
        may_find = folders()[name].may_find
        yield from ((name, module) for module in _modules(name) if may_find(module, present))


def _sort_rules(modules: Iterable[tuple[str, str]]) -> tuple[Rule, ...]:
    return tuple(sorted((_rule(name, module) for name, module in modules), key=lambda rule: rule.code))


@cache
def _modules(name: str) -> tuple[str, ...]:
    return registry.names(import_module(f"{rules.__name__}.{name}"))


@cache
def _rule(name: str, module: str) -> Rule:
    return registry.load(import_module(f"{rules.__name__}.{name}"), module, "RULE", AnyRule)


def all_count(_: Rule) -> bool:
    """Selects every rule: the default of norms."""
    return True


def object_rules() -> tuple[Rule, ...]:
    """Every rule about Kubernetes objects, in order of code."""
    return rules_in(frozenset(folders()))


def kinds_of(objects: Objects) -> frozenset[Kind]:
    """The kinds of the objects that rules may read."""
    return frozenset(item.identity[:2] for item in objects.items)


def rules_for(objects: Objects, counts: Counts = all_count) -> tuple[Rule, ...]:
    """The selected rules that can find something, in order of code. Each finding is at an object that is present."""
    present = kinds_of(objects)
    return objects.once_per_run(("rules", present, counts), lambda: tuple(filter(counts, rules_about(present))))


def rules_about_ours(objects: Objects) -> tuple[Rule, ...]:
    """The rules that can find what is broken or badly formed in gitgpu's own output. No other rule is imported."""
    return _rules_about_ours(kinds_of(objects))


@cache
def _rules_about_ours(present: frozenset[Kind]) -> tuple[Rule, ...]:
    return _sort_rules((name, module) for name, module in _concerned(present) if _is_about_ours(name, module))


def own_rules() -> tuple[Rule, ...]:
    """Every rule that `rules_about_ours` can give, in order of code."""
    modules = ((name, module) for name in folders() for module in _modules(name))
    return _sort_rules((name, module) for name, module in modules if _is_about_ours(name, module))


@cache
def _is_about_ours(name: str, module: str) -> bool:
    """Whether a rule may report errors, or has a code of CNF: its text, which is read much faster than imported."""
    text = registry.source(import_module(f"{rules.__name__}.{name}"), module)
    return "Severity.ERROR" in text or 'code="CNF' in text

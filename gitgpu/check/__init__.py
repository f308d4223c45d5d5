"""Rules about the linked fleet and the catalog: settings that conflict with each other or with the facts.

Each module in `rules/` is a rule; a new file adds one. `check` runs all rules, whatever they find.
"""

from collections.abc import Collection
from functools import cache
from importlib import import_module
from itertools import chain

from gitgpu.check import rules
from gitgpu.check.rule import Rule, diagnose
from gitgpu.diagnostic import Diagnostic, ObjectRef
from gitgpu.model.fleet import Workload
from gitgpu.model.inputs import Inputs
from gitgpu.model.software.kaito import Model
from gitgpu.registry import collect, folders
from gitgpu.rule import Rule as AnyRule

# The parts of `Inputs`: what KINDS of a folder may list.
PARTS = ("fleet", "clusters", "pools", "workloads", "models")


@cache
def rule_folders() -> dict[str, frozenset[str]]:
    """The folders of rules, each with its KINDS: the parts of `Inputs` whose documents its findings are about."""
    return {name: import_module(f"{rules.__name__}.{name}").KINDS for name in folders(rules)}


@cache
def rules_in(names: frozenset[str]) -> tuple[Rule, ...]:
    """The rules of these folders, in order of code."""
    collected: list[Rule] = []
    for name in names:
        collected += collect(import_module(f"{rules.__name__}.{name}"), "RULE", AnyRule)
    return tuple(sorted(collected, key=lambda rule: rule.code))


def rules_for(inputs: Inputs) -> tuple[Rule, ...]:
    """The rules that apply to the fleet. A folder is only imported if a document of its KINDS is present."""
    present = {part for part in PARTS if getattr(inputs, part)}
    return rules_in(frozenset(name for name, kinds in rule_folders().items() if not kinds.isdisjoint(present)))


def fleet_rules() -> tuple[Rule, ...]:
    """Every rule about fleets, in order of code."""
    return rules_in(frozenset(rule_folders()))


def fleet_codes() -> frozenset[str]:
    """The codes of all rules about fleets."""
    return frozenset(rule.code for rule in fleet_rules())


def check(inputs: Inputs, doubtful: Collection[ObjectRef] = ()) -> list[Diagnostic]:
    """The findings of all rules, except in documents with an unresolved name and workloads that use such pools."""
    # Rules would see only a part of such a document. Their findings would follow from the name, which is reported.
    names = {pool.name for pool in inputs.pools if pool.origin.ref not in doubtful}
    users: tuple[Workload | Model, ...] = (*inputs.workloads, *inputs.models)
    skipped = {user.origin.ref for user in users if not names.issuperset(user.pools)}.union(doubtful)
    diagnostics = chain.from_iterable(diagnose(rule, inputs) for rule in rules_for(inputs))
    return [diagnostic for diagnostic in diagnostics if diagnostic.object not in skipped]

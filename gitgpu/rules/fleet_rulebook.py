"""The rules about fleets, by folder. Rules that cannot find anything in the fleet are not imported."""

from functools import cache
from importlib import import_module

from gitgpu.model.inputs import Inputs
from gitgpu.registry import collect, folders
from gitgpu.rule import Rule as AnyRule
from gitgpu.rules import fleet as rules
from gitgpu.rules.fleet_rule import Rule

# The parts of `Inputs`: what KINDS of a folder may list.
PARTS = ("fleet", "clusters", "pools", "workloads", "models", "teams")


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
    """The rules that apply to the fleet. A folder is only imported if a document of its KINDS is present.

    If it declares the part that it NEEDS, a document of that must be present too.
    """
    present = {part for part in PARTS if getattr(inputs, part)}
    return rules_in(frozenset(name for name, kinds in rule_folders().items() if _applies(name, kinds, present)))


def _applies(name: str, kinds: frozenset[str], present: set[str]) -> bool:
    needed = getattr(import_module(f"{rules.__name__}.{name}"), "NEEDS", "")
    return not present.isdisjoint(kinds) and (not needed or needed in present)


def fleet_rules() -> tuple[Rule, ...]:
    """Every rule about fleets, in order of code."""
    return rules_in(frozenset(rule_folders()))


def fleet_codes() -> frozenset[str]:
    """The codes of all rules about fleets."""
    return frozenset(rule.code for rule in fleet_rules())

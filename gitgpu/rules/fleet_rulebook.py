"""The rules about fleets, by folder. Rules that cannot find anything in the fleet are not imported."""

from functools import cache
from importlib import import_module
from types import ModuleType

from gitgpu.model.inputs import Inputs
from gitgpu.registry import collect, folders
from gitgpu.rule import Rule as AnyRule
from gitgpu.rules import fleet as rules
from gitgpu.rules.fleet_rule import Rule

# The parts of `Inputs`: what KINDS of a folder may list.
PARTS = ("fleet", "clusters", "pools", "workloads", "models", "teams")
IN_EVERY_FLEET = frozenset(("fleet", "clusters", "pools"))
# Folders that are imported fast: with few rules, which import little that nothing else needs.
_LIGHT = frozenset(
    (
        "aks_automatic",
        "amd",
        "clusters",
        "delivery",
        "disruption",
        "dra",
        "images",
        "limits",
        "mig",
        "queues",
        "rdma",
        "scheduler",
        "windows",
    )
)


@cache
def rule_folders() -> dict[str, frozenset[str]]:
    """The folders of rules, each with its KINDS: the parts of `Inputs` whose documents its findings are about."""
    return {name: _package(name).KINDS for name in folders(rules)}


@cache
def rules_in(folder_names: frozenset[str]) -> tuple[Rule, ...]:
    """The rules of these folders, in order of code."""
    collected: list[Rule] = []
    for name in folder_names:
        collected += collect(_package(name), "RULE", AnyRule)
    return tuple(sorted(collected, key=lambda rule: rule.code))


def folders_for(inputs: Inputs) -> frozenset[str]:
    """The folders of rules that apply to the fleet: those that have a document of their KINDS.

    If a folder declares the part that it NEEDS, a document of that must be present too.
    """
    present = {part for part in PARTS if getattr(inputs, part)}
    return frozenset(name for name, kinds in rule_folders().items() if _applies(name, kinds, present))


def folders_of_helper() -> frozenset[str]:
    """The folders with most of the rules: those for a process that imports them before it gets the fleet.

    The process that reads the fleet has time for the others only after that.
    """
    return frozenset(rule_folders()) - _LIGHT


def _applies(name: str, kinds: frozenset[str], present: set[str]) -> bool:
    needed = getattr(_package(name), "NEEDS", "")
    return not present.isdisjoint(kinds) and (not needed or needed in present)


def fleet_rules() -> tuple[Rule, ...]:
    """Every rule about fleets, in order of code."""
    return rules_in(frozenset(rule_folders()))


def fleet_codes() -> frozenset[str]:
    """The codes of all rules about fleets."""
    return frozenset(rule.code for rule in fleet_rules())


def _package(folder: str) -> ModuleType:
    return import_module(f"{rules.__name__}.{folder}")

"""Manifests to diagnostics: what the API server would refuse, and what could never work.

Each object is held against the contract of its kind (`contract`), then the rules (`rules/`, one module each) look for
what no schema can say. A finding in our own output is a bug of gitgpu; `lint` runs the same over anybody's objects.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from gitgpu.conform import rules
from gitgpu.conform.contract import KINDS, Contracts, SchemaSource, Scope
from gitgpu.conform.objects import Item, Objects, identity
from gitgpu.conform.rule import Rule, diagnose
from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.emit.manifest import Manifest, Role
from gitgpu.registry import collect
from gitgpu.rule import Rule as AnyRule
from gitgpu.source import pointer_text


@dataclass(frozen=True, slots=True)
class Norms:
    """What manifests are measured against. Build it once: it remembers the schemas that were compiled."""

    contracts: Contracts
    rules: tuple[Rule, ...]
    labels: Mapping[str, Any]
    kinds: Mapping[str, Any]


def norms(source: SchemaSource, labels: Mapping[str, Any]) -> Norms:
    """The norms of this release: all contracts, all rules, and the catalog's row about Karpenter's label keys."""
    return Norms(Contracts(source), object_rules(), labels, source.contract(KINDS) or {})


def object_rules() -> tuple[Rule, ...]:
    """Every rule about Kubernetes objects, in order of code."""
    return tuple(sorted(collect(rules, "RULE", AnyRule), key=lambda one: one.code))


def conform(manifests: Iterable[Manifest], kubernetes: str, measure: Norms) -> list[Diagnostic]:
    """Everything that is wrong with the objects of one cluster, whose Kubernetes version is given."""
    minor = measure.contracts.clamp(kubernetes)
    found: list[Diagnostic] = []
    items: list[Item] = []
    for manifest in manifests:
        item, faults = _held(manifest, minor, measure.contracts)
        items.append(item)
        found.extend(faults)
    sound = tuple(item for item in items if item.sound and item.scope is not Scope.FILE)
    present = frozenset(item.identity for item in items if not item.is_patch)
    objects = Objects(sound, present, measure.labels, measure.kinds)
    found.extend(fault for one in measure.rules for fault in diagnose(one, objects))
    return found if measure.contracts.has(kubernetes) else found + _version_note(items, kubernetes, minor)


def _held(manifest: Manifest, minor: str, contracts: Contracts) -> tuple[Item, list[Diagnostic]]:
    name, api_version = identity(manifest.body), str(manifest.body.get("apiVersion", ""))
    contract = contracts.find(minor, api_version, name.kind)
    faults = contract.faults(manifest.body, patch=manifest.role is Role.PATCH)
    item = Item(manifest, name, contract.scope, not faults)
    found = [
        Diagnostic("CNF001", Severity.ERROR, message, remedy, manifest.origin, pointer_text(pointer), name.ref)
        for pointer, message, remedy, _ in faults
    ]
    if contract.scope is Scope.UNKNOWN and not found:
        message = f"no schema is known for {name.kind} of {api_version}: its fields were not checked"
        found.append(_note("CNF002", message, "check the spelling of apiVersion and kind", item))
    return item, found


def _version_note(items: list[Item], kubernetes: str, minor: str) -> list[Diagnostic]:
    message = f"Kubernetes {kubernetes} is not bundled with kubernetes-validate: built-in kinds were checked as {minor}"
    remedy = "install the release of kubernetes-validate that has it"
    return [_note("CNF010", message, remedy, item) for item in items[:1]]


def _note(code: str, message: str, remedy: str, item: Item) -> Diagnostic:
    return Diagnostic(code, Severity.INFO, message, remedy, item.manifest.origin, "", item.identity.ref)

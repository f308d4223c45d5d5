"""The findings in Kubernetes objects: what the API server would reject, and what could never work.

Each object is checked against the contract of its kind, then the rules find what no schema can express. `build` runs
the same checks on its output, and `lint` on any manifests.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain

from gitgpu.diagnostic import Diagnostic
from gitgpu.jobs import results, shares
from gitgpu.objects.items import NOTHING, as_stored, gather, item_of
from gitgpu.objects.norms import Norms
from gitgpu.objects.objects import Extent, Given, Item, Kinds, Objects
from gitgpu.objects.schema.contract import Scope
from gitgpu.objects.validation import violations
from gitgpu.objects.validation.broken_rules import Violation, new_findings, violated_rules
from gitgpu.rules.flawed_objects import diagnose_with_flaws
from gitgpu.rules.object_advisories import ADVISORIES
from gitgpu.rules.object_rule import Rule, processes_for
from gitgpu.rules.object_rulebook import object_rules

OWN_CODES = (
    "CNF001",
    "CNF002",
    "CNF010",
    "CNF016",
    "CNF018",
    "CNF019",
    "CNF023",
)  # reported by the contracts, not by a rule


def object_codes() -> frozenset[str]:
    """The codes of all findings about objects."""
    return frozenset((*OWN_CODES, *(rule.code for rule in object_rules())))


def object_findings(
    given: Iterable[Given], kubernetes: str, norms: Norms, *, closed: bool = True, beyond: Kinds = NOTHING
) -> list[Diagnostic]:
    """All findings in the objects of one cluster with this Kubernetes version.

    With `closed`, the cluster has no other objects, but for those of the kinds in `beyond`: references to missing
    objects are reported.
    """
    minor = norms.contracts.clamp(kubernetes)
    findings: list[Diagnostic] = []
    items: list[Item] = []
    for manifest in given:
        item, faults = item_of(manifest, minor, norms)
        items.append(item)
        findings.extend(faults)
    findings.extend(rule_findings(items, minor, norms, Extent(closed, beyond)))
    return findings if norms.contracts.has(kubernetes) else findings + violations.version_note(items, kubernetes, minor)


def rule_findings(
    items: Iterable[Item], minor: str, norms: Norms, extent: Extent, *, advise: bool = False
) -> list[Diagnostic]:
    """The findings of the rules, and with `advise` of advisories, in objects that match their contracts.

    An object that does not match its contract is judged by the rules that do not read what is wrong.
    """
    stored_items = tuple(map(as_stored, items))
    objects = gather(stored_items, minor, norms, closed=extent.closed, beyond=extent.beyond)
    if extent.by_hand:
        objects = replace(objects, by_hand=True, sorted={}, cache={})
    violated = _violated_rules(stored_items, minor, norms)  # for many objects, other processes start now
    found = _found_by_rules(stored_items, objects, norms, (ADVISORIES,) if advise else ())
    return [*found, *new_findings(violated, found)]


def _violated_rules(items: Sequence[Item], minor: str, norms: Norms) -> Iterator[Violation]:
    """The CEL rules that objects violate, if there is an engine."""
    if norms.own_engine.missing:
        return iter(())
    number = processes_for(len(items), norms.jobs)
    parts = shares(len(items), number)
    found = results(lambda part: list(violated_rules(items[slice(*part)], minor, norms)), parts, number)
    return chain.from_iterable(found)


def _found_by_rules(
    stored_items: Sequence[Item], objects: Objects, norms: Norms, more: Sequence[Rule]
) -> list[Diagnostic]:
    if not any(item.flaws for item in stored_items):
        return norms.judge((*norms.rules(objects), *more), objects)
    readable = (item for item in stored_items if (item.sound or item.flaws) and item.scope is not Scope.FILE)
    objects = replace(objects, items=tuple(readable), sorted={}, cache={})
    return diagnose_with_flaws((*norms.rules(objects), *more), objects)

"""Manifests to diagnostics: what the API server would refuse, and what could never work.

Each object is held against the contract of its kind (`contract`), then the rules (`rules/`, one module each) look for
what no schema can say. A finding in our own output is a bug of gitgpu; `lint` runs the same over anybody's objects.
"""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from gitgpu.conform import rules
from gitgpu.conform.cel import Engine
from gitgpu.conform.contract import ANY, KINDS, Contract, Contracts, SchemaSource, Scope, group
from gitgpu.conform.crd import Custom, custom
from gitgpu.conform.nulls import without_null
from gitgpu.conform.objects import Given, Identity, Item, Objects, identity
from gitgpu.conform.rule import Rule, diagnose
from gitgpu.conform.versions import Served, served
from gitgpu.diagnostic import Change, Diagnostic, Repair, Severity
from gitgpu.load.words import Fault
from gitgpu.model.catalog import Catalog
from gitgpu.registry import collect
from gitgpu.rule import Rule as AnyRule
from gitgpu.source import pointer_text


@dataclass(frozen=True, slots=True)
class Norms:
    """What objects are measured against. Build it once: it remembers the schemas that were compiled."""

    contracts: Contracts
    rules: tuple[Rule, ...]
    catalog: Catalog
    kinds: Mapping[str, Any]
    today: str = ""
    custom: Mapping[tuple[str, str], Custom] = field(default_factory=dict)
    engine: Engine = field(default_factory=Engine)
    lasting: dict[Hashable, Any] = field(default_factory=dict)


def norms(source: SchemaSource, catalog: Catalog, today: str = "", crds: Iterable[dict[str, Any]] = ()) -> Norms:
    """The norms of this release: all contracts, all rules, and the catalog. `today` is an ISO date, or not known.

    What `crds` say of their kinds goes before what this release knows of them.
    """
    kinds = source.contract(KINDS) or {}
    metadata = (source.contract(ANY) or {}).get("properties", {}).get("metadata", {})
    return Norms(Contracts(source), object_rules(), catalog, kinds, today, custom(crds, metadata))


def own_norms(source: SchemaSource, catalog: Catalog) -> Norms:
    """The norms for our own output: whether it is well made and works. What is unwise to ask for, fleet rules say."""
    kept = (one for one in object_rules() if one.severity is Severity.ERROR or one.code.startswith("CNF"))
    return replace(norms(source, catalog), rules=tuple(kept))


def object_rules() -> tuple[Rule, ...]:
    """Every rule about Kubernetes objects, in order of code."""
    return tuple(sorted(collect(rules, "RULE", AnyRule), key=lambda one: one.code))


OWN_CODES = ("CNF001", "CNF002", "CNF010", "CNF016", "CNF018", "CNF019")  # what is told here, and no rule's


def object_codes() -> frozenset[str]:
    """The codes of all that can be found in objects."""
    return frozenset((*OWN_CODES, *(one.code for one in object_rules())))


def conform(given: Iterable[Given], kubernetes: str, measure: Norms, *, closed: bool = True) -> list[Diagnostic]:
    """Everything that is wrong with the objects of one cluster, whose Kubernetes version is given.

    `closed` says that these are all its objects: then what one of them refers to must be among them.
    """
    minor = measure.contracts.clamp(kubernetes)
    found: list[Diagnostic] = []
    items: list[Item] = []
    for one in given:
        item, faults = held(one, minor, measure)
        items.append(item)
        found.extend(faults)
    found.extend(related(items, minor, measure, closed=closed))
    return found if measure.contracts.has(kubernetes) else found + _version_note(items, kubernetes, minor)


def related(items: Iterable[Item], minor: str, measure: Norms, *, closed: bool) -> list[Diagnostic]:
    """What the rules say of objects that have been held against their contracts."""
    every = tuple(items)
    sound = tuple(item for item in every if item.sound and item.scope is not Scope.FILE)
    present: frozenset[Identity] = frozenset(item.identity for item in every if not item.is_patch)
    facts = (measure.catalog, measure.kinds, minor, measure.today)
    objects = Objects(sound, present, *facts, closed, lasting=measure.lasting)
    return [fault for one in measure.rules for fault in diagnose(one, objects)]


def held(given: Given, minor: str, measure: Norms) -> tuple[Item, list[Diagnostic]]:
    """An object as rules see it, and how it breaks the contract of its kind.

    A version that is no longer served is one finding: the fields of the version that is would be many.
    """
    name, api_version = identity(given.body), str(given.body.get("apiVersion", ""))
    contract = measure.contracts.find(minor, api_version, name.kind)
    running = measure.custom.get((api_version, name.kind))
    if running:
        return _running(given, running, contract, measure.engine)
    if any(known == name.kind and group(version) == name.group for version, known in measure.custom):
        item = Item(given, name, contract.scope, sound=False)
        return item, [_not_in_crd(item, api_version)]
    old = served(measure.catalog, minor, api_version, name.kind)
    if old and old.gone:
        item = Item(given, name, contract.scope, sound=False)
        return item, [_unserved(item, api_version, old)]
    body = {**given.body, "apiVersion": contract.api_version or api_version} if old else given.body
    fits = (contract.part if given.patch else contract.whole)(body)
    if not fits or not contract.api_version:  # our own contracts take no null; Kubernetes' schemas do
        given, body = given._replace(body=without_null(given.body)), without_null(body)
    faults = [] if fits else contract.faults(body, patch=given.patch)
    item = Item(given, name, contract.scope, not faults)
    if faults and old and contract.api_version and old.shape != "same":
        return item, [_other_shape(item, api_version, old)]
    found = [_misfit(fault, item) for fault in faults]
    if contract.scope is Scope.UNKNOWN:
        found += _unknown(item, minor, measure.contracts, found)
    return item, found


def _unknown(item: Item, minor: str, contracts: Contracts, found: list[Diagnostic]) -> list[Diagnostic]:
    """What is said of a kind without a schema: a slip in its name, or that nobody looked at its fields."""
    api_version = str(item.body.get("apiVersion", ""))
    near = contracts.near(minor, api_version, item.identity.kind)
    if near:
        return [_slip(item, api_version, near)]
    message = f"no schema is known for {item.identity.kind} of {api_version}: its fields were not checked"
    return [] if found else [_note("CNF002", message, "check the spelling of apiVersion and kind", item)]


def _running(given: Given, running: Custom, known: Contract, engine: Engine) -> tuple[Item, list[Diagnostic]]:
    """An object against the CRD that the cluster runs. Rules may reach into it where it also fits what they know."""
    given = given._replace(body=without_null(given.body))
    faults = running.faults(given.body, patch=given.patch)
    odd = any(not fault.at_key for fault in known.faults(given.body, patch=given.patch))
    item = Item(given, identity(given.body), running.scope, not faults and not odd)
    broken = [] if faults or given.patch else running.broken(given.body, engine)
    said = [_misfit(fault, item)._replace(code="CNF018") for fault in broken]
    return item, [*(_misfit(fault, item) for fault in faults), *said]


def _slip(item: Item, api_version: str, near: str) -> Diagnostic:
    """A kind that its group does not have, but one that is spelt almost so."""
    places, pointer = item.given.places, ("kind",)
    message = f"{api_version} has no kind {item.identity.kind}; did you mean {near}?"
    edit = Repair(Change.VALUE, pointer, near).edit(places)
    return Diagnostic(
        "CNF019", Severity.ERROR, message, f"write kind: {near}", places.span(pointer), "/kind", item.ref, edit
    )


def _not_in_crd(item: Item, api_version: str) -> Diagnostic:
    """A version that the CRD of the cluster does not serve."""
    places, ref = item.given.places, item.ref
    message = f"the CRD of {item.identity.kind} that was given does not serve {api_version}"
    remedy = "write a version that it serves"
    return Diagnostic("CNF016", Severity.ERROR, message, remedy, places.span(("apiVersion",)), "/apiVersion", ref)


def _unserved(item: Item, api_version: str, old: Served) -> Diagnostic:
    return _about_version("CNF016", Severity.ERROR, item, old.message(api_version, item.identity.kind), old)


def _other_shape(item: Item, api_version: str, old: Served) -> Diagnostic:
    """An object of an older version whose fields are not those of the schema that is known: nothing more is said."""
    if old.deprecated:
        return _about_version("CNF017", Severity.WARNING, item, old.message(api_version, item.identity.kind), old)
    message = f"the schema of {item.identity.kind} of {api_version} is not known: its fields were not checked"
    return _note("CNF002", message, f"{old.remedy} to have them checked", item)


def _about_version(code: str, severity: Severity, item: Item, message: str, old: Served) -> Diagnostic:
    places, pointer = item.given.places, ("apiVersion",)
    edit = Repair(Change.VALUE, pointer, old.use).edit(places) if old.shape == "same" else None
    return Diagnostic(code, severity, message, old.remedy, places.span(pointer), pointer_text(pointer), item.ref, edit)


def _misfit(fault: Fault, item: Item) -> Diagnostic:
    places, pointer = item.given.places, pointer_text(fault.pointer)
    span, edit = places.span(fault.pointer, key=fault.at_key), fault.repair.edit(places) if fault.repair else None
    return Diagnostic("CNF001", Severity.ERROR, fault.message, fault.help, span, pointer, item.ref, edit)


def _version_note(items: list[Item], kubernetes: str, minor: str) -> list[Diagnostic]:
    message = f"Kubernetes {kubernetes} is not bundled with kubernetes-validate: built-in kinds were checked as {minor}"
    remedy = "install the release of kubernetes-validate that has it"
    return [_note("CNF010", message, remedy, item) for item in items[:1]]


def _note(code: str, message: str, remedy: str, item: Item) -> Diagnostic:
    return Diagnostic(code, Severity.INFO, message, remedy, item.given.places.span(), "", item.ref)

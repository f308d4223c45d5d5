"""Checks manifests: what the API server would reject, and what could never work.

Each object is checked against the contract of its kind (`contract`), then the rules (`rules/`, one module each) find
what no schema can express. `build` runs the same checks on its output, and `lint` on any manifests.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from gitgpu.conform.clean_folders import as_on_any_cluster, diagnosed_once
from gitgpu.conform.flawed_objects import diagnosed_with_flaws
from gitgpu.conform.objects import Extent, Given, Identity, Item, Objects, identity
from gitgpu.conform.rule import Rule, diagnosed
from gitgpu.conform.rulebook import every_rule, rules_about_ours, rules_for
from gitgpu.conform.schema import violations
from gitgpu.conform.schema.cel import Engine
from gitgpu.conform.schema.contract import ANY, KINDS, Contract, Contracts, SchemaSource, Scope, api_group
from gitgpu.conform.schema.contract_check import Checked, against_contract
from gitgpu.conform.schema.crd import Custom, custom
from gitgpu.conform.schema.flaws import flaws_of
from gitgpu.conform.schema.served_versions import Served, of_another_cloud, served_once
from gitgpu.diagnostic import Diagnostic
from gitgpu.load.explain.fault import Fault
from gitgpu.load.null_fields import without_null
from gitgpu.model.catalog import Catalog


@dataclass(frozen=True, slots=True)
class Norms:
    """What objects are checked against. Build it once: it caches compiled schemas.

    With `ours`, an object that equals a checked one is not checked again. Users' manifests are always checked: for
    Python 1 and true are equal, for a schema they are not.
    """

    contracts: Contracts
    catalog: Catalog
    kinds: Mapping[str, Any]
    today: str = ""
    custom: Mapping[tuple[str, str], Custom] = field(default_factory=dict)
    engine: Engine = field(default_factory=Engine)
    run_cache: dict[Hashable, Any] = field(default_factory=dict)
    ours: bool = False
    rules: Callable[[Objects], Sequence[Rule]] = rules_for
    judge: Callable[[Sequence[Rule], Objects], list[Diagnostic]] = diagnosed


def norms(source: SchemaSource, catalog: Catalog, today: str = "", crds: Iterable[dict[str, Any]] = ()) -> Norms:
    """The norms of this release: all contracts, all rules, and the catalog. `today` is an ISO date, or "" if unknown.

    For the kinds in `crds`, their schemas have priority over those of this release.
    """
    kinds = source.contract(KINDS) or {}
    metadata = (source.contract(ANY) or {}).get("properties", {}).get("metadata", {})
    return Norms(Contracts(source), catalog, kinds, today, custom(crds, metadata))


def own_norms(source: SchemaSource, catalog: Catalog) -> Norms:
    """The norms for gitgpu's own output: whether it is valid and works. Fleet rules report unwise choices instead."""
    return replace(norms(source, catalog), rules=rules_about_ours, judge=diagnosed_once, ours=True)


def object_rules() -> tuple[Rule, ...]:
    """Every rule about Kubernetes objects, in order of code."""
    return every_rule()


Kinds: TypeAlias = frozenset[tuple[str, str]]
NOTHING: Kinds = frozenset()
_VARIANTS = 8  # the most variants of an object that are remembered: clusters of different kinds need a few
OWN_CODES = ("CNF001", "CNF002", "CNF010", "CNF016", "CNF018", "CNF019")  # reported by this module, not by a rule


def object_codes() -> frozenset[str]:
    """The codes of all findings about objects."""
    return frozenset((*OWN_CODES, *(rule.code for rule in object_rules())))


def conform(given: Iterable[Given], kubernetes: str, norms: Norms, *, closed: bool = True) -> list[Diagnostic]:
    """All findings in the objects of one cluster with this Kubernetes version.

    With `closed`, the cluster has no other objects: references to missing objects are reported.
    """
    minor = norms.contracts.clamp(kubernetes)
    findings: list[Diagnostic] = []
    items: list[Item] = []
    for manifest in given:
        item, faults = item_of(manifest, minor, norms)
        items.append(item)
        findings.extend(faults)
    findings.extend(related(items, minor, norms, Extent(closed)))
    return findings if norms.contracts.has(kubernetes) else findings + violations.version_note(items, kubernetes, minor)


def related(items: Iterable[Item], minor: str, norms: Norms, extent: Extent) -> list[Diagnostic]:
    """The findings of the rules in objects that have already been checked against their contracts.

    An object that does not match its contract is judged by the rules that do not read what is wrong.
    """
    stored_items = tuple(map(_stored, items))
    objects = gathered(stored_items, minor, norms, closed=extent.closed, beyond=extent.beyond)
    if extent.by_hand:
        objects = replace(objects, by_hand=True, sorted={}, cache={})
    if not any(item.flaws for item in stored_items):
        return norms.judge(norms.rules(objects), objects)
    readable = (item for item in stored_items if (item.sound or item.flaws) and item.scope is not Scope.FILE)
    objects = replace(objects, items=tuple(readable), sorted={}, cache={})
    return diagnosed_with_flaws(norms.rules(objects), objects)


def gathered(items: Iterable[Item], minor: str, norms: Norms, *, closed: bool, beyond: Kinds = NOTHING) -> Objects:
    """The objects as rules see them.

    `beyond` are kinds, as (group, kind), whose objects may also be elsewhere; ("*", "*") is any kind.
    """
    stored_items = tuple(map(_stored, items))
    sound = tuple(item for item in stored_items if item.sound and item.scope is not Scope.FILE)
    present = frozenset(item.identity for item in stored_items if not item.is_patch)
    return Objects(
        items=sound,
        present=present,
        catalog=norms.catalog,
        kinds=norms.kinds,
        kubernetes=minor,
        today=norms.today,
        closed=closed and ("*", "*") not in beyond,
        run_cache=norms.run_cache,
        beyond=beyond,
    )


def _stored(item: Item) -> Item:
    """The object with the identity that the API server gives it: a cluster-scoped object loses its namespace."""
    named = item.scope is Scope.CLUSTER and item.identity.namespace
    return item._replace(identity=item.identity._replace(namespace="")) if named else item


def item_of(given: Given, minor: str, norms: Norms) -> tuple[Item, list[Diagnostic]]:
    """An object as rules see it, and its violations of the contract of its kind. Cached: clusters repeat objects."""
    name = identity(given.body)
    if not norms.ours:
        return _checked(given, name, minor, norms)
    given = as_on_any_cluster(given)
    variants: list[Item] = norms.run_cache.setdefault(("checked", minor, name, given.patch), [])
    # A list and not a mapping: bodies cannot be hashed, and comparing the last few is cheap.
    for last in variants:
        if last.body == given.body:  # the same body object, which `diagnosed_once` recognises
            return last._replace(given=given._replace(body=last.body)), []
    item, findings = _checked(given, name, minor, norms)
    if not findings:
        # The most recent variant comes first, because similar clusters follow each other.
        variants[_VARIANTS:] = []
        variants.insert(0, item)
    return item, findings


def _checked(given: Given, name: Identity, minor: str, norms: Norms) -> tuple[Item, list[Diagnostic]]:
    """An object and its violations.

    An API version that is off by default is one, whether or not the newer version fits.
    """
    item, findings = _fitted(given, name, minor, norms)
    api_version = str(given.body.get("apiVersion", ""))
    old = served_once(norms.run_cache, norms.catalog, minor, (api_version, name.kind))
    if old is None or not old.off or (api_version, name.kind) in norms.custom:
        return item, findings
    if any(finding.code == violations.GONE for finding in findings):
        return item, findings
    late = norms.contracts.since(minor, old.use, name.kind)
    return item, [violations.unserved(item, api_version, old._replace(late=late)), *findings]


def _fitted(given: Given, name: Identity, minor: str, norms: Norms) -> tuple[Item, list[Diagnostic]]:
    """An object and its violations. If its version is no longer served, its fields are not checked."""
    api_version = str(given.body.get("apiVersion", ""))
    contract = norms.contracts.find(minor, api_version, name.kind)
    running = norms.custom.get((api_version, name.kind))
    old = served_once(norms.run_cache, norms.catalog, minor, (api_version, name.kind))
    if running:
        return _running(given, running, contract, (norms, old))
    broken = Item(given, name, contract.scope, sound=False)
    if any(kind == name.kind and api_group(version) == name.group for version, kind in norms.custom):
        return broken, [violations.not_in_crd(broken, api_version)]
    if old and old.gone:
        return broken, ([] if of_another_cloud(given.body) else [violations.unserved(broken, api_version, old)])
    item, findings = against_contract(broken, contract, old, (minor, norms.contracts))
    if name.group == "keda.sh":
        since = norms.catalog.must("features", "positive-max-replica-count")["since"]
        findings = [violations.newly_refused(finding, item, since) for finding in findings]
    return item, findings


def _running(given: Given, running: Custom, contract: Contract, facts: tuple[Norms, Served | None]) -> Checked:
    """Checks an object against the CRD of the cluster. Rules read it only if it also matches the schema they know."""
    norms, old = facts
    given = given._replace(body=without_null(given.body))
    faults = running.faults(given.body, patch=given.patch)
    served = {"apiVersion": contract.api_version} if old and contract.api_version else {}

    def odd_in(body: Mapping[str, Any]) -> list[Fault]:  # rules do not mind keys that they do not know
        return [fault for fault in contract.faults({**body, **served}, patch=given.patch) if not fault.at_key]

    odd = odd_in(given.body)
    item = Item(given, identity(given.body), running.scope, not faults and not odd)
    if not (item.sound or given.patch or old):

        def faults_in(body: Mapping[str, Any]) -> list[Fault]:
            return [*running.faults(body, patch=False), *odd_in(body)]

        item = item._replace(flaws=flaws_of(given.body, [*faults, *odd], faults_in))
    broken = [] if faults or given.patch else running.broken(given.body, norms.engine)
    findings = [violations.misfit(fault, item) for fault in faults]
    findings += [violations.misfit(fault, item)._replace(code="CNF018") for fault in broken]
    if old and old.deprecated and not old.gone and not item.sound:  # otherwise a rule reports it
        findings.append(violations.other_shape(item, running.api_version, old))
    return item, findings

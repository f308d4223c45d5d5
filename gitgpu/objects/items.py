"""Manifests as rules read them: each is checked against the contract of its kind."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from gitgpu.access import mapping_at
from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.load.explain.fault import Fault
from gitgpu.load.null_fields import without_null
from gitgpu.objects.manifest.enabled_versions import ENABLED, is_enabled
from gitgpu.objects.norms import Norms
from gitgpu.objects.objects import Given, Identity, Item, Kinds, Objects, identity
from gitgpu.objects.schema.contract import Contract, Scope, api_group
from gitgpu.objects.schema.crd import Custom
from gitgpu.objects.schema.flaws import flaws_of
from gitgpu.objects.schema.served_versions import Served, of_another_cloud, served_version_once
from gitgpu.objects.validation import violations
from gitgpu.objects.validation.contract_check import Checked, against_contract, missing_kind
from gitgpu.objects.validation.template_faults import template_faults

NOTHING: Kinds = frozenset()
_VARIANTS = 8  # the most variants of an object that are remembered: clusters of different kinds need a few


def gather(items: Iterable[Item], minor: str, norms: Norms, *, closed: bool, beyond: Kinds = NOTHING) -> Objects:
    """The objects as rules see them.

    `beyond` are kinds, as (group, kind), whose objects may also be elsewhere; ("*", "*") is any kind.
    """
    stored_items = tuple(map(as_stored, items))
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
        safeguards=norms.safeguards,
        versions=norms.versions_of,
        stated=norms.versions,
    )


def as_stored(item: Item) -> Item:
    """The object with the identity that the API server gives it: a cluster-scoped object loses its namespace."""
    named = item.scope is Scope.CLUSTER and item.identity.namespace
    return item._replace(identity=item.identity._replace(namespace="")) if named else item


def item_of(given: Given, minor: str, norms: Norms) -> tuple[Item, list[Diagnostic]]:
    """An object as rules see it, and its violations of the contract of its kind. Cached: clusters repeat objects."""
    name = identity(given.body)
    if not norms.ours:
        return _checked(given, name, minor, norms)
    given = as_on_any_cluster(given)
    variants: list[Item] = norms.run_cache.setdefault(("checked", minor, norms.versions, name, given.patch), [])
    # A list and not a mapping: bodies cannot be hashed, and comparing the last few is cheap.
    for last in variants:
        if last.body == given.body:  # the same body object, which `diagnose_once` recognises
            return last._replace(given=given._replace(body=last.body)), []
    item, findings = _checked(given, name, minor, norms)
    if not findings:
        # The most recent variant comes first, because similar clusters follow each other.
        variants[_VARIANTS:] = []
        variants.insert(0, item)
    return item, findings


def as_on_any_cluster(given: Given) -> Given:
    """The object without the path of a Flux Kustomization, which contains the name of the cluster."""
    # No rule about our own objects reads the path. Without it, clusters of the same kind have equal objects, which are
    # checked only once.
    body = given.body
    spec = mapping_at(body, "spec") if body.get("kind") == "Kustomization" else {}
    if not isinstance(spec.get("path"), str):
        return given
    rest = {key: value for key, value in spec.items() if key != "path"}
    return given._replace(body={**body, "spec": rest})


def _checked(given: Given, name: Identity, minor: str, norms: Norms) -> tuple[Item, list[Diagnostic]]:
    """An object and its violations.

    An API version that is off by default is one, whether or not the newer version fits, unless a cluster enables it.
    """
    item, findings = _fitted(given, name, minor, norms)
    api_version = str(given.body.get("apiVersion", ""))
    old = served_version_once(norms.run_cache, norms.catalog, minor, (api_version, name.kind))
    if old is None or not old.off or (api_version, name.kind) in norms.custom:
        return item, findings
    is_on = is_enabled(api_version, norms.run_cache.get(ENABLED, ()))
    if is_on or any(finding.code == violations.GONE for finding in findings):
        return item, findings
    late = norms.contracts.since(minor, old.use, name.kind)
    return item, [violations.unserved_version(item, api_version, old._replace(late=late)), *findings]


def _fitted(given: Given, name: Identity, minor: str, norms: Norms) -> tuple[Item, list[Diagnostic]]:
    """An object and its violations. If its version is no longer served, its fields are not checked."""
    api_version = str(given.body.get("apiVersion", ""))
    contract = norms.contracts.find(minor, api_version, name.kind)
    running = norms.custom.get((api_version, name.kind))
    old = served_version_once(norms.run_cache, norms.catalog, minor, (api_version, name.kind))
    if old and (old.by or old.first) and contract.project:
        old = old.on(norms.versions_of(contract.project))
    if running:
        return _running(given, running, contract, (norms, old), minor)
    broken = Item(given, name, contract.scope, sound=False)
    if any(kind == name.kind and api_group(version) == name.group for version, kind in norms.custom):
        return broken, [violations.not_in_crd(broken, api_version)]
    if old and old.gone:
        return broken, ([] if of_another_cloud(given.body) else [violations.unserved_version(broken, api_version, old)])
    item, findings = against_contract(broken, contract, old, minor, norms)
    newer = _newer_definition(item, findings, contract, norms)
    if newer:
        return _running(given, newer, contract, (norms, old), minor)
    return item, [*missing_kind(item, contract, norms), *findings]


def _newer_definition(item: Item, findings: Sequence[Diagnostic], contract: Contract, norms: Norms) -> Custom | None:
    """A CRD among the manifests that is newer than the contract, if the contract refuses the object.

    Of several CRDs, it is one that accepts the object, if there is one. A cluster that is known to run a known release
    does not have it.
    """
    if all(finding.severity is Severity.INFO for finding in findings):
        return None
    if contract.project and (versions := norms.versions_of(contract.project)):
        releases = norms.contracts.releases(contract.project)
        if not releases.may_be_after(contract.newest_release, versions):
            return None
    found = norms.find_definitions().get((str(item.body.get("apiVersion", "")), item.identity.kind), ())
    accepting_crds = (crd for crd in found if not crd.faults(item.body, patch=item.is_patch))
    return next(accepting_crds, found[-1] if found else None)


def _running(
    given: Given, running: Custom, contract: Contract, facts: tuple[Norms, Served | None], minor: str
) -> Checked:
    """Checks an object against the CRD of the cluster. Rules read it only if it also matches the schema they know."""
    norms, old = facts
    given = given._replace(body=without_null(given.body))
    faults = running.faults(given.body, patch=given.patch)
    served = {"apiVersion": contract.api_version} if old and contract.api_version else {}

    def odd_in(body: Mapping[str, Any]) -> list[Fault]:  # rules do not mind keys that they do not know
        found = contract.faults({**body, **served}, patch=given.patch)
        if contract.scope is Scope.UNKNOWN:
            found += template_faults(body, minor, norms.contracts, patch=given.patch)
        return [fault for fault in found if not fault.at_key]

    odd = odd_in(given.body)
    item = Item(given, identity(given.body), running.scope, not faults and not odd)
    if not (item.sound or given.patch or old):

        def faults_in(body: Mapping[str, Any]) -> list[Fault]:
            return [*running.faults(body, patch=False), *odd_in(body)]

        item = item._replace(flaws=flaws_of(given.body, [*faults, *odd], faults_in))
    broken = [] if faults or given.patch else running.broken_rules(given.body, norms.engine)
    findings = [violations.misfit(fault, item) for fault in faults]
    findings += [violations.misfit(fault, item)._replace(code=violations.BROKEN_RULE) for fault in broken]
    if old and old.deprecated and not old.gone and not item.sound:  # otherwise a rule reports it
        findings.append(violations.other_shape(item, running.api_version, old))
    return item, findings

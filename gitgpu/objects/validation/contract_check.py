"""Checks an object against the contract of its kind."""

from collections.abc import Mapping
from typing import Any, NamedTuple, TypeAlias

from gitgpu.access import has, value_at
from gitgpu.diagnostic import Change, Diagnostic
from gitgpu.load.explain.fault import Fault
from gitgpu.load.null_fields import without_null
from gitgpu.load.validate.releases import CHANGED
from gitgpu.model.names.groups import AUTOSCALER_GROUP
from gitgpu.model.software.run_by_aks import run_by_aks
from gitgpu.objects.norms import Norms
from gitgpu.objects.objects import Given, Item
from gitgpu.objects.schema.contract import Contract, Scope, api_group
from gitgpu.objects.schema.contracts import Contracts
from gitgpu.objects.schema.flaws import flaws_at, flaws_of
from gitgpu.objects.schema.release_list import is_old
from gitgpu.objects.schema.served_versions import Served, is_later
from gitgpu.objects.validation import violations
from gitgpu.objects.validation.refusals import Meant, Refusal, group_refusals, refusals
from gitgpu.objects.validation.related_kinds import misplaced_key
from gitgpu.objects.validation.template_faults import template_faults

Checked: TypeAlias = tuple[Item, list[Diagnostic]]

# Groups whose CRDs another project installs too: the cluster autoscaler.
_OF_SEVERAL = frozenset((AUTOSCALER_GROUP,))


def against_contract(unchecked: Item, contract: Contract, old: Served | None, minor: str, norms: Norms) -> Checked:
    """The object and its faults. An object in an `old` version is read as the newer version."""
    given, contracts = unchecked.given, norms.contracts
    api_version = str(given.body.get("apiVersion", ""))
    if api_version == contract.api_version:
        old = None  # a version with a contract of its own
    later = None if old or given.patch else _later_version(unchecked, api_version, contract, norms)
    if later:
        return unchecked._replace(scope=Scope.UNKNOWN), [later]
    body = {**given.body, "apiVersion": contract.api_version or api_version} if old else given.body
    fits = contract.fits_everywhere(body, patch=given.patch)
    if not fits or not contract.api_version:  # our own contracts reject null; Kubernetes' schemas accept it
        given = given._replace(body=without_null(given.body))
        body = without_null(body) if old else given.body
    if contract.variants and not fits:
        return _by_release(unchecked._replace(given=given), contract, old, minor, norms)
    found = [] if fits else contract.faults(body, patch=given.patch)
    if contract.scope is Scope.UNKNOWN:
        found += template_faults(body, minor, contracts, patch=given.patch)
    given, faults = apart_from_status(given, found)
    item = Item(given, unchecked.identity, contract.scope, not faults)
    if faults and old and contract.api_version and old.shape != "same":
        return item._replace(scope=Scope.UNKNOWN), [violations.other_shape(item, api_version, old)]
    if faults and not given.patch:
        served = {"apiVersion": body["apiVersion"]} if old else {}

        def faults_in(rest: Mapping[str, Any]) -> list[Fault]:
            found_in_templates = template_faults(rest, minor, contracts) if contract.scope is Scope.UNKNOWN else []
            return [*contract.faults({**rest, **served}), *found_in_templates]

        item = item._replace(flaws=flaws_of(given.body, faults, faults_in))
    named = [misplaced_key(fault, item, minor, contracts) for fault in faults]
    findings = [_misfit(fault, item, contract, norms) for fault in named]
    return _without_schema(item, findings, minor, contracts) if contract.scope is Scope.UNKNOWN else (item, findings)


def _by_release(unchecked: Item, contract: Contract, old: Served | None, minor: str, norms: Norms) -> Checked:
    """An object that at least one release refuses. It is sound if one that may run and the newest one accept it."""
    given, served = unchecked.given, {"apiVersion": contract.api_version} if old else {}
    releases, meant = norms.contracts.releases(contract.project), releases_in_question(contract.project, norms)
    found = refusals(contract, {**given.body, **served}, releases, meant, patch=given.patch)
    given, faults = apart_from_status(given, [refusal.fault for refusal in found])
    found = [refusal for refusal in found if refusal.fault in faults]
    accepted = not any(refusal.always or refusal.certain for refusal in found)
    newest = contract.variants[-1].faults({**given.body, **served}, patch=given.patch) if accepted else []
    item = Item(given, unchecked.identity, contract.scope, accepted and not newest)
    if not accepted and old and old.shape != "same":
        api_version = str(given.body.get("apiVersion", ""))
        return item._replace(scope=Scope.UNKNOWN), [violations.other_shape(item, api_version, old)]
    if accepted:  # the code knows the newest release, and reads keys that this no longer requires
        missing = flaws_at(fault for fault in faults if not has(given.body, fault.pointer))
        optional = (flaw._replace(optional=True) for flaw in missing - flaws_at(newest))
        item = item._replace(flaws=flaws_at(newest).union(optional))
    elif not given.patch:
        item = item._replace(flaws=flaws_of(given.body, faults, lambda rest: contract.faults({**rest, **served})))
    return item, [refusal_finding(refusal, item, contract, minor, norms) for refusal in group_refusals(found)]


def missing_kind(item: Item, contract: Contract, norms: Norms) -> list[Diagnostic]:
    """The finding about a kind that a release does not have, if the cluster is known to run that release."""
    api_version = str(item.body.get("apiVersion", ""))
    if not contract.project or item.is_patch or api_version != contract.api_version:
        return []
    releases, first = norms.contracts.releases(contract.project), contract.schema[CHANGED][0]
    is_in_all = first == next(iter(releases.dates))
    if is_in_all or api_group(api_version) in _OF_SEVERAL or not norms.versions_of(contract.project):
        return []
    running, having = releases_in_question(contract.project, norms).running, releases.since(first)
    if running <= having:
        return []
    since = f"{releases.name} {releases.text(first)}"
    return [violations.later_kind(item, api_version, since, certain=not running & having)]


def refusal_finding(refusal: Refusal, item: Item, contract: Contract, minor: str, norms: Norms) -> Diagnostic:
    """The finding about a refusal."""
    fault = misplaced_key(refusal.fault, item, minor, norms.contracts)
    if refusal.accepted:
        fault = _as_spelt(fault, item)
    if refusal.always and refusal.accepted:
        is_missing = not (fault.at_key or has(item.given.body, fault.pointer))
        verb = "optional" if is_missing else "accepted"
        known = fault._replace(message=f"{fault.message}; {verb} only {refusal.accepted}")
        return violations.misfit(known, item)
    if refusal.always:
        return _misfit(fault, item, contract, norms)
    refusal, named = refusal._replace(fault=fault), bool(norms.versions_of(contract.project))
    aks = None if named else run_by_aks(norms.catalog, contract.project, _day(norms), minor)
    if aks:
        refusal = refusal._replace(accepted=f"{refusal.accepted}; {aks}")
    return violations.partial_refusal(refusal, item, "" if named else _unless(contract.project, norms))


def _as_spelt(fault: Fault, item: Item) -> Fault:
    """The fault of a key or a text that another release has: it is not a misspelling, so no other one is meant."""
    change = fault.repair.change if fault.repair else None
    is_text = change is Change.VALUE and isinstance(value_at(item.given.body, fault.pointer), str)
    if change is not Change.KEY and not is_text:
        return fault
    return fault._replace(help="remove it" if fault.at_key else "correct the value", repair=None)


def _unless(project: str, norms: Norms) -> str:
    """The start of a remedy: what to do if the release that runs is one that accepts the object."""
    runs = "the clusters run such a release"
    if not norms.of_fleet:
        return f"if {runs}, name it in --versions or lint.versions; otherwise "
    return f"if {runs}, name it in Cluster.spec.karpenter; otherwise " if project == "karpenter" else f"unless {runs}, "


def _misfit(fault: Fault, item: Item, contract: Contract, norms: Norms) -> Diagnostic:
    """The finding about what no known release accepts."""
    newest = _newest(contract, norms)
    if newest.outdated and (fault.foreign or fault.unlisted):
        return violations.maybe_newer(fault, item, newest.name, newest.day, of_fleet=norms.of_fleet)
    return violations.misfit(fault, item, newest.name, of_fleet=norms.of_fleet)


class _Newest(NamedTuple):
    """The newest release of a contract; without a name, nothing newer can run. With `outdated`, it probably does."""

    name: str
    day: str
    outdated: bool


def _newest(contract: Contract, norms: Norms) -> _Newest:
    if not contract.project:
        name, day = contract.release
        return _Newest(name, day, outdated=bool(name) and is_old(day, _day(norms)))
    releases, number = norms.contracts.releases(contract.project), contract.newest_release
    versions = norms.versions_of(contract.project)
    if versions and not releases.may_be_after(number, versions):
        return _Newest("", "", outdated=False)
    day = releases.dates[number]
    return _Newest(f"{releases.name} {number}", day, outdated=bool(versions) or is_old(day, _day(norms)))


def _later_version(item: Item, api_version: str, contract: Contract, norms: Norms) -> Diagnostic | None:
    """The finding about a later version of a kind than that of its contract, if a newer release probably serves it."""
    if not contract.api_version or not is_later(api_version, contract.api_version):
        return None
    newest = _newest(contract, norms)
    if not newest.outdated:
        return None
    fault = Fault(("apiVersion",), f"{api_version} {item.identity.kind} is unknown", "")
    return violations.maybe_newer(fault, item, newest.name, newest.day, of_fleet=norms.of_fleet)


def releases_in_question(project: str, norms: Norms) -> Meant:
    """The known releases of a project that may run. If the cluster is not known to run certain ones, all in use.

    On AKS, these are what AKS runs, and whatever is newer. Remembered, because many objects may need it.
    """
    key = ("releases", project, norms.versions, _day(norms))
    if key not in norms.run_cache:
        norms.run_cache[key] = _find_releases(project, norms)
    known: Meant = norms.run_cache[key]
    return known


def _find_releases(project: str, norms: Norms) -> Meant:
    releases, day = norms.contracts.releases(project), _day(norms)
    versions = norms.versions_of(project)
    if versions:
        named = frozenset[str]().union(*map(releases.matching, versions))
        return Meant(named, named)
    aks = run_by_aks(norms.catalog, project, day)
    running = releases.since(aks.releases[0]) if aks and aks.releases else releases.in_use(day)
    others = frozenset[str]().union(*map(releases.matching, (*aks.long_term, *aks.older) if aks else ()))
    return Meant(running, running | others)


def _day(norms: Norms) -> str:
    """The day to judge on: without --today, that of the list of releases."""
    return norms.today or norms.day or norms.contracts.last_checked


def _without_schema(item: Item, findings: list[Diagnostic], minor: str, contracts: Contracts) -> Checked:
    """An object without a schema. Rules must not read it if it is rejected, or if they know its kind in a version."""
    other = violations.elsewhere(contracts.source, minor, str(item.body.get("apiVersion", "")), item.identity.kind)
    unknown = violations.unknown_kind(item, minor, contracts, findings)
    rejected = any(finding.code == violations.GONE for finding in unknown)
    if other or rejected:
        item = item._replace(sound=False, flaws=frozenset())
    return item, findings + unknown


def apart_from_status(given: Given, faults: list[Fault]) -> tuple[Given, list[Fault]]:
    """The object without the parts of its status that have faults, and the faults outside the status."""
    # The API server accepts a status only from controllers, and drops what `kubectl get` or a generator wrote there. A
    # node of a newer release has parts that are not known here; its capacity counts all the same.
    status = given.body.get("status")
    if not isinstance(status, Mapping):
        return given, faults
    inside = [fault.pointer for fault in faults if fault.pointer[:1] == ("status",)]
    if not inside:
        return given, faults
    broken = {pointer[1] for pointer in inside if len(pointer) > 1}
    body = {key: value for key, value in given.body.items() if key != "status"}
    if all(len(pointer) > 1 for pointer in inside):
        body["status"] = {key: value for key, value in status.items() if key not in broken}
    return given._replace(body=body), [fault for fault in faults if fault.pointer[:1] != ("status",)]

"""Findings about an object that does not match the contract of its kind."""

import json
import re
from functools import cache

from gitgpu.access import has, value_at
from gitgpu.diagnostic import Change, Diagnostic, Repair, Severity
from gitgpu.load.explain.fault import Fault
from gitgpu.model.names.kinds import AKS_NODE_CLASS, MANAGED_CLUSTERS_AGENT_POOL
from gitgpu.model.names.prefixes import KUBERNETES_PREFIX
from gitgpu.objects.objects import Item
from gitgpu.objects.schema.contract import Scope, api_group
from gitgpu.objects.schema.contracts import Contracts, SchemaSource
from gitgpu.objects.schema.served_versions import Served
from gitgpu.objects.validation.refusals import Refusal
from gitgpu.objects.workload.known_kinds import WORKLOADS
from gitgpu.source import dotted_text, pointer_text
from gitgpu.spelling import join_names

MISFIT = "CNF001"  # the schema of the kind rejects a value
BROKEN_RULE = "CNF018"  # a CEL rule of the kind rejects it
SOME = "CNF023"  # only some of the releases that may run accept the object
GONE = "CNF016"  # no API server of the Kubernetes version accepts the object
# A version as Kubernetes names it: v1, v1beta1.
_VERSION = re.compile("v[1-9][0-9]*((alpha|beta)[1-9][0-9]*)?", re.ASCII)
_UNIQUE = frozenset((AKS_NODE_CLASS.kind, MANAGED_CLUSTERS_AGENT_POOL.kind))  # kinds that no other group has
# Groups to which only Kubernetes can add kinds: the API server rejects a CRD whose group has no dot.
_CLOSED_GROUPS = frozenset(("", "apps", "autoscaling", "batch", "extensions", "policy"))


def unknown_kind(item: Item, minor: str, contracts: Contracts, reported: list[Diagnostic]) -> list[Diagnostic]:
    """The finding about a kind without a schema: its version is too new, its name is misspelled, or it is unchecked."""
    api_version, kind = str(item.body.get("apiVersion", "")), item.identity.kind
    if since := contracts.since(minor, api_version, kind):
        message = f"Kubernetes {minor} does not serve {api_version} {kind}, which comes with {since}"
        return [_refused(item, message, "use a version that it serves, or upgrade the cluster first")]
    if other := _correct_version(contracts.source, minor, api_version, kind, patch=item.is_patch):
        return [_refused(item, f"there is no {kind} of {api_version!r}", f"set apiVersion: {other}")]
    if others := _other_groups(contracts.source, minor, api_version, kind, patch=item.is_patch):
        groups = join_names([api_group(version) for version in others])
        message = f"{kind} is a kind of {groups}, not of {api_group(api_version) or 'the core group'}"
        return [_refused(item, message, f"set apiVersion: {' or '.join(others)}")]
    if similar := _similar_kind(contracts.source, minor, api_version, kind):
        return [_slip(item, api_version, similar)]
    if item.is_patch and item.identity[:2] in WORKLOADS:
        return []  # its pods are checked, and gitgpu's patch has nothing else
    message = f"no schema is known for {kind} of {api_version}: its fields were not checked"
    return [] if reported else [_note("CNF002", message, "check the spelling of apiVersion and kind", item)]


# These search the names of all kinds, once for each kind without a schema: there may be many objects of one.
@cache
def _similar_kind(source: SchemaSource, minor: str, api_version: str, kind: str) -> str:
    return Contracts(source).similar_kind(minor, api_version, kind)


@cache
def _correct_version(source: SchemaSource, minor: str, api_version: str, kind: str, *, patch: bool) -> str:
    """The apiVersion of a built-in kind that Kubernetes does not have in the one of the object; "" if it may."""
    contracts = Contracts(source)
    other = elsewhere(source, minor, api_version, kind)
    if other:
        # A newer Kubernetes may serve another version of this name.
        return "" if "/" in api_version and _VERSION.fullmatch(api_version.rpartition("/")[2]) else other
    # Kustomize does not read the apiVersion of a patch that has a target.
    if patch:
        return ""
    return _stable_version(contracts, minor, kind) if _is_closed(api_version, minor, contracts) else ""


@cache
def _other_groups(source: SchemaSource, minor: str, api_version: str, kind: str, *, patch: bool) -> list[str]:
    """The apiVersions of a custom kind, if that of the object cannot have it: the kinds of its group are known."""
    contracts = Contracts(source)
    known = contracts.has_group(api_version) or kind in _UNIQUE or _is_closed(api_version, minor, contracts)
    # Kustomize does not read the apiVersion of a patch that has a target.
    return contracts.of_other_groups(api_version, kind) if known and not patch else []


def _is_closed(api_version: str, minor: str, contracts: Contracts) -> bool:
    """Whether only Kubernetes can add kinds to this version of a group."""
    group, _, version = api_version.rpartition("/")
    if api_group(api_version) in _CLOSED_GROUPS:
        return True
    # The API server answers every request for a version that it serves itself, and serves no CRD there (the director of
    # k8s.io/apiserver, pkg/server/handler.go).
    names = contracts.source.built_in_names(minor) if group.endswith(".k8s.io") else ()
    end = f"-{group.partition('.')[0]}-{version}"
    return any(name.endswith(end) and api_version in _api_versions(contracts, minor, name) for name in names)


def _api_versions(contracts: Contracts, minor: str, name: str) -> list[str]:
    """The apiVersions of a built-in type."""
    properties = json.loads(contracts.source.built_in_file(minor, name) or "{}").get("properties", {})
    versions: list[str] = properties.get("apiVersion", {}).get("enum", [])
    return versions


def _stable_version(contracts: Contracts, minor: str, kind: str) -> str:
    """The most stable apiVersion of a built-in kind; "" if Kubernetes does not have the kind."""
    versions: list[str] = []
    for name in contracts.source.built_in_names(minor):
        if name.startswith(f"{kind.lower()}-"):
            versions += _api_versions(contracts, minor, name)
    return min(versions, key=lambda version: ("alpha" in version, "beta" in version), default="")


@cache
def elsewhere(source: SchemaSource, minor: str, api_version: str, kind: str) -> str:
    """The apiVersion in which the group of a built-in kind has that kind; "" if it has none."""
    contracts, group = Contracts(source), api_group(api_version)
    start = "".join(f"{part}-" for part in (kind.lower(), group.partition(".")[0]) if part)
    names = (name for name in source.built_in_names(minor) if name.startswith(start))
    versions = (f"{group}/{name.removeprefix(start)}".lstrip("/") for name in names)
    return next(
        (version for version in versions if contracts.find(minor, version, kind).scope is not Scope.UNKNOWN), ""
    )


def _slip(item: Item, api_version: str, similar: str) -> Diagnostic:
    """The finding about a kind that its group does not have, although it has one with a similar name."""
    places, pointer = item.given.places, ("kind",)
    message = f"{api_version} has no kind {item.identity.kind}; did you mean {similar}?"
    edit = Repair(Change.VALUE, pointer, similar).edit(places)
    return Diagnostic(
        "CNF019", Severity.ERROR, message, f"set kind: {similar}", places.span(pointer), "/kind", item.ref, edit
    )


def not_in_crd(item: Item, api_version: str) -> Diagnostic:
    """The finding about a version that the CRD of the cluster does not serve."""
    message = f"the given CRD of {item.identity.kind} does not serve {api_version}"
    return _refused(item, message, "use a version that it serves")


def _refused(item: Item, message: str, remedy: str) -> Diagnostic:
    """A finding that the API server does not serve the version of an object."""
    span = item.given.places.span(("apiVersion",))
    return Diagnostic(GONE, Severity.ERROR, message, remedy, span, "/apiVersion", item.ref)


def newer_shape(item: Item) -> Diagnostic:
    """The note about an object that its CRD accepts, and that does not match the schema that gitgpu reads it by."""
    api_version = item.body.get("apiVersion")
    message = f"its CRD accepts this {item.identity.kind} of {api_version}, but gitgpu cannot read it: the CRD is newer"
    return _note("CNF002", message, "install a gitgpu that knows this release", item)


def unserved_version(item: Item, api_version: str, old: Served) -> Diagnostic:
    """The finding about a version that API servers no longer serve."""
    return _about_version(GONE, Severity.ERROR, item, old.message(api_version, item.identity.kind), old)


def other_shape(item: Item, api_version: str, old: Served) -> Diagnostic:
    """The finding about an older version with other fields than the known schema; nothing else is reported about it."""
    if old.deprecated:
        return _about_version("CNF017", Severity.WARNING, item, old.message(api_version, item.identity.kind), old)
    message = f"the schema of {item.identity.kind} of {api_version} is unknown: its fields were not checked"
    return _note("CNF002", message, f"{old.remedy} to have them checked", item)


def _about_version(code: str, severity: Severity, item: Item, message: str, old: Served) -> Diagnostic:
    places, pointer = item.given.places, ("apiVersion",)
    edit = Repair(Change.VALUE, pointer, old.use).edit(places) if old.shape == "same" else None
    return Diagnostic(code, severity, message, old.remedy, places.span(pointer), pointer_text(pointer), item.ref, edit)


def misfit(fault: Fault, item: Item, release: str = "", *, of_fleet: bool = False) -> Diagnostic:
    """The finding about a value that the schema of the kind rejects.

    `release` names the release of the project that the schema is from, if it may be older than that of the cluster: a
    newer one may have an unknown key.
    """
    places, pointer = item.given.places, pointer_text(fault.pointer)
    repair, span = fault.repair, places.span(fault.pointer, key=fault.at_key)
    edit = repair.edit(places) if repair and has(item.given.body, repair.pointer) else None
    severity, remedy = Severity.ERROR, fault.help
    if _is_part_of_device(fault, item):  # quotes would not make it valid
        edit, remedy = None, "use a whole number; to share a device, use time-slicing or MIG"
    if release and fault.foreign:
        severity = Severity.WARNING
        remedy = f"{remedy}; this is the schema of {release}: if the cluster has a newer one, {_for_newer(of_fleet)}"
    return Diagnostic(MISFIT, severity, fault.message, remedy, span, pointer, item.ref, edit)


def _for_newer(of_fleet: bool) -> str:
    """What to do if a cluster runs a newer release: only lint and simulate read CRDs."""
    return "install a gitgpu that knows it" if of_fleet else "pass its CRDs with --crds"


def _is_part_of_device(fault: Fault, item: Item) -> bool:
    """Whether the value is a fraction of an extended resource, such as nvidia.com/gpu."""
    value = value_at(item.given.body, fault.pointer)
    name = str(fault.pointer[-1]) if fault.pointer else ""
    return type(value) is float and not value.is_integer() and "/" in name and KUBERNETES_PREFIX not in name


def partial_refusal(refusal: Refusal, item: Item, unless: str) -> Diagnostic:
    """The finding about a value that only some releases accept. `unless` is what to do if one of them runs.

    It is an error if each release refuses the object for one reason or another.
    """
    fault, accepted, others = refusal.fault, refusal.accepted, refusal.others
    places, key = item.given.places, str(fault.pointer[-1]) if fault.pointer else ""
    message, otherwise, edit = f"{fault.message}; accepted only {accepted}", fault.help, None
    if fault.at_key:
        message, otherwise = f"'{key}' exists only {accepted}", f"remove '{key}'"
    elif not has(item.given.body, fault.pointer):
        message = f"'{key}' is optional only {accepted}"
        edit = fault.repair.edit(places) if fault.repair else None  # all releases accept what it adds
    others = tuple(pointer for pointer in others if has(item.given.body, pointer))
    if others:
        names = [dotted_text(pointer[len(fault.pointer) - 1 :]) for pointer in others]
        message, otherwise, edit = f"{message}; this also concerns {join_names(names)}", "change all of them", None
    severity = Severity.ERROR if refusal.certain else Severity.WARNING
    remedy = f"{unless}{otherwise}"
    span, pointer = places.span(fault.pointer, key=fault.at_key), pointer_text(fault.pointer)
    return Diagnostic(SOME, severity, message, remedy, span, pointer, item.ref, edit)


def later_kind(item: Item, api_version: str, since: str, *, certain: bool) -> Diagnostic:
    """The finding about a kind that exists since a release ("KEDA 2.20"); an error if nothing newer runs."""
    severity = Severity.ERROR if certain else Severity.WARNING
    message = f"{api_version} {item.identity.kind} exists only as of {since}"
    remedy = f"upgrade to {since} or newer before you apply it, or remove the object"
    return Diagnostic(SOME, severity, message, remedy, item.given.places.span(("kind",)), "/kind", item.ref)


def maybe_newer(fault: Fault, item: Item, release: str, day: str = "", *, of_fleet: bool = False) -> Diagnostic:
    """The finding about a key or value that no known release has, if the cluster may run a newer one than `release`."""
    message = f"{fault.message}: {release}" + (f" of {day}" if day else "") + " is the newest release known here"
    remedy = f"check the spelling; if the cluster runs a newer release, {_for_newer(of_fleet)}"
    span, pointer = item.given.places.span(fault.pointer, key=fault.at_key), pointer_text(fault.pointer)
    return Diagnostic(MISFIT, Severity.WARNING, message, remedy, span, pointer, item.ref)


def version_note(items: list[Item], kubernetes: str, minor: str) -> list[Diagnostic]:
    """A note that built-in kinds were checked against another Kubernetes version than the cluster's."""
    message = f"Kubernetes {kubernetes} is not bundled with kubernetes-validate: built-in kinds were checked as {minor}"
    remedy = "install the release of kubernetes-validate that has it"
    return [_note("CNF010", message, remedy, item) for item in items[:1]]


def _note(code: str, message: str, remedy: str, item: Item) -> Diagnostic:
    return Diagnostic(code, Severity.INFO, message, remedy, item.given.places.span(), "", item.ref)

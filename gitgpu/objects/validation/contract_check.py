"""Checks an object against the contract of its kind."""

from collections.abc import Mapping
from typing import TypeAlias

from gitgpu.diagnostic import Diagnostic
from gitgpu.load.explain.fault import Fault
from gitgpu.load.null_fields import without_null
from gitgpu.objects.objects import Given, Item
from gitgpu.objects.schema.contract import Contract, Contracts, Scope
from gitgpu.objects.schema.flaws import flaws_of
from gitgpu.objects.schema.served_versions import Served
from gitgpu.objects.validation import violations
from gitgpu.objects.validation.related_kinds import misplaced_key

Checked: TypeAlias = tuple[Item, list[Diagnostic]]


def against_contract(unchecked: Item, contract: Contract, old: Served | None, facts: tuple[str, Contracts]) -> Checked:
    """The object and its faults. An object in an `old` version is read as the newer version."""
    given, (minor, contracts) = unchecked.given, facts
    api_version = str(given.body.get("apiVersion", ""))
    body = {**given.body, "apiVersion": contract.api_version or api_version} if old else given.body
    fits = (contract.part if given.patch else contract.whole)(body)
    if not fits or not contract.api_version:  # our own contracts reject null; Kubernetes' schemas accept it
        given = given._replace(body=without_null(given.body))
        body = without_null(body) if old else given.body
    given, faults = apart_from_status(given, [] if fits else contract.faults(body, patch=given.patch))
    item = Item(given, unchecked.identity, contract.scope, not faults)
    if faults and old and contract.api_version and old.shape != "same":
        return item._replace(scope=Scope.UNKNOWN), [violations.other_shape(item, api_version, old)]
    if faults and not given.patch:
        served = {"apiVersion": body["apiVersion"]} if old else {}
        flaws = flaws_of(given.body, faults, lambda rest: contract.faults({**rest, **served}))
        item = item._replace(flaws=flaws)
    named = [misplaced_key(fault, item, minor, contracts) for fault in faults]
    findings = [violations.misfit(fault, item, contract.release) for fault in named]
    return _without_schema(item, findings, minor, contracts) if contract.scope is Scope.UNKNOWN else (item, findings)


def _without_schema(item: Item, findings: list[Diagnostic], minor: str, contracts: Contracts) -> Checked:
    """An object without a schema. Rules must not read it if it is rejected, or if they know its kind in a version."""
    other = violations.elsewhere(contracts.source, minor, str(item.body.get("apiVersion", "")), item.identity.kind)
    unknown = violations.unknown(item, minor, contracts, findings)
    rejected = any(finding.code == violations.GONE for finding in unknown)
    if other or rejected:
        item = item._replace(sound=False, flaws=frozenset())
    return item, findings + unknown


def apart_from_status(given: Given, faults: list[Fault]) -> tuple[Given, list[Fault]]:
    """The object without a status that has faults, and the faults outside the status."""
    # The API server accepts a status only from controllers, and drops what `kubectl get` or a generator wrote there.
    if not isinstance(given.body.get("status"), Mapping):
        return given, faults
    kept = [fault for fault in faults if fault.pointer[:1] != ("status",)]
    if len(kept) == len(faults):
        return given, faults
    return given._replace(body={key: value for key, value in given.body.items() if key != "status"}), kept

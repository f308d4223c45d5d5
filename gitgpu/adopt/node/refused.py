"""Pools and node classes that an API server or Karpenter rejects, according to the rules of lint."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from gitgpu.access import reach
from gitgpu.adopt.adoption import Fate, Refused
from gitgpu.adopt.node.node_objects import is_of_nodes, why_passed
from gitgpu.adopt.node.unknown_fields import without_newer
from gitgpu.diagnostic import Diagnostic, ObjectRef, Severity
from gitgpu.inventory.observed import Observed, ObservedCluster
from gitgpu.load.spec.shape import fleet_schema
from gitgpu.model.names.kinds import AKS_NODE_CLASS, MANAGED_CLUSTERS_AGENT_POOL
from gitgpu.objects.norms import Norms
from gitgpu.objects.objects import Given, Objects, identity
from gitgpu.objects.schema.contract import Contract
from gitgpu.objects.validation.partial_objects import MISFIT
from gitgpu.rules.object_findings import object_findings
from gitgpu.rules.object_rule import Rule

_NEWER = "the API version that gitgpu writes does not support it"
_ASSUMED_VERSION = "1.35"  # the Kubernetes version whose schemas are used for clusters of unknown version


def refused_objects(cluster: ObservedCluster, norms: Norms) -> Iterator[Refused]:
    """The node objects with an error of lint, and the pools whose node class has one."""
    seen_objects = [observed for observed in cluster.objects if is_of_nodes(observed.body)]
    version = cluster.azure.kubernetes or _ASSUMED_VERSION
    objects = [Given(_as_known_version(observed.body, norms), observed.places) for observed in seen_objects]
    faults = object_findings(objects, version, replace(norms, rules=partial(_error_rules, norms)), closed=False)
    wrong: dict[ObjectRef, Diagnostic] = {}
    for fault in faults:
        if fault.severity is Severity.ERROR or fault.code == MISFIT:  # a warning if a newer release may accept it
            wrong.setdefault(fault.object, fault)
    for observed in seen_objects:
        if why_passed(observed):
            continue  # it stays with its owner, right or wrong
        error, reason = _fault(observed, wrong)
        if error:
            newer = error.code == MISFIT and _may_be_newer(observed, norms)
            yield Refused(observed, f"{_NEWER}: {reason}", Fate.INEXPRESSIBLE) if newer else Refused(observed, reason)


def _as_known_version(body: Mapping[str, Any], norms: Norms) -> dict[str, Any]:
    """An object without fields and values that are newer than its schema; a node pool in the version of the schema."""
    older = dict(without_newer(body))
    if body["kind"] == MANAGED_CLUSTERS_AGENT_POOL.kind:
        contract = norms.contracts.find("", str(body["apiVersion"]), MANAGED_CLUSTERS_AGENT_POOL.kind)
        older["apiVersion"] = contract.api_version or body["apiVersion"]
        if reach(body, "spec", "osSKU") in _families() - _os_skus(contract):
            older["spec"] = {key: value for key, value in older["spec"].items() if key != "osSKU"}
    return older


def _families() -> frozenset[str]:
    """The image families that the spec can have."""
    return frozenset(fleet_schema()["definitions"]["image"]["properties"]["family"]["enum"])


def _os_skus(contract: Contract) -> frozenset[str]:
    """The values of osSKU in the schema of a node pool."""
    return frozenset(reach(contract.newest, "properties", "spec", "properties", "osSKU", "enum") or ())


def _may_be_newer(observed: Observed, norms: Norms) -> bool:
    """Whether a newer schema may allow the object: an API server or Azure may have accepted it."""
    body = observed.body
    if observed.live or body["kind"] != MANAGED_CLUSTERS_AGENT_POOL.kind:
        return observed.live
    return observed.source != "kubernetes" or _as_known_version(body, norms)["apiVersion"] != body["apiVersion"]


def _error_rules(norms: Norms, objects: Objects) -> list[Rule]:
    """The rules that report errors. Other findings are not used, so their places need not be looked up."""
    return [rule for rule in norms.rules(objects) if rule.severity is Severity.ERROR]


def _fault(observed: Observed, wrong: Mapping[ObjectRef, Diagnostic]) -> tuple[Diagnostic | None, str]:
    """The finding about an object or its node class, and its text."""
    fault = wrong.get(identity(observed.body).ref)
    if fault:
        return fault, _words(fault)
    name = reach(observed.body, "spec", "template", "spec", "nodeClassRef", "name")
    fault = wrong.get(ObjectRef(AKS_NODE_CLASS.kind, "", str(name)))
    return fault, f"its AKSNodeClass {name}: {_words(fault)}" if fault else ""


def _words(fault: Diagnostic) -> str:
    where = f" ({fault.pointer})" if fault.pointer else ""
    return f"{fault.code}: {fault.message}{where}"

"""Pools and node classes that an API server or Karpenter refuses, by the rules of lint."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial

from gitgpu.adopt.adoption import Refused
from gitgpu.adopt.node.node_objects import is_of_nodes
from gitgpu.adopt.unknown_fields import without_newer
from gitgpu.compare.nodes import CLASS
from gitgpu.compare.snapshot import at
from gitgpu.conform import Norms, conform
from gitgpu.conform.objects import Given, Objects, identity
from gitgpu.conform.rule import Rule
from gitgpu.diagnostic import Diagnostic, ObjectRef, Severity
from gitgpu.load.inventory.observed import Observed, ObservedCluster

_USUAL = "1.35"  # the version whose schemas judge objects of clusters that do not say theirs


def refused_objects(cluster: ObservedCluster, measure: Norms) -> Iterator[Refused]:
    """The objects of nodes with an error of lint, and pools whose node class has one."""
    seen = [each for each in cluster.objects if is_of_nodes(each.body)]
    version = cluster.azure.kubernetes or _USUAL
    given = [Given(dict(without_newer(each.body)), each.places) for each in seen]
    found = conform(given, version, replace(measure, rules=partial(_of_errors, measure)), closed=False)
    wrong: dict[ObjectRef, Diagnostic] = {}
    for fault in found:
        if fault.severity is Severity.ERROR:
            wrong.setdefault(fault.object, fault)
    for each in seen:
        reason = _reason(each, wrong)
        if reason:
            yield Refused(each, reason)


def _of_errors(measure: Norms, objects: Objects) -> list[Rule]:
    """The rules whose findings are errors: of the others the places would be looked up for nothing."""
    return [rule for rule in measure.rules(objects) if rule.severity is Severity.ERROR]


def _reason(observed: Observed, wrong: Mapping[ObjectRef, Diagnostic]) -> str:
    fault = wrong.get(identity(observed.body).ref)
    if fault:
        return _words(fault)
    name = at(observed.body, "spec", "template", "spec", "nodeClassRef", "name")
    fault = wrong.get(ObjectRef(CLASS, "", str(name)))
    return f"its AKSNodeClass {name} is wrong already: {_words(fault)}" if fault else ""


def _words(fault: Diagnostic) -> str:
    where = f" ({fault.pointer})" if fault.pointer else ""
    return f"{fault.code}: {fault.message}{where}"

"""The objects that the API server would reject: the simulation ignores them, and the forecast says why.

The rules of lint decide. Each object is judged alone, so that an object in other files is not taken for missing.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from gitgpu.diagnostic import Diagnostic
from gitgpu.model.names.groups import KAITO_GROUP, KARPENTER_GROUP
from gitgpu.model.names.kinds import (
    AKS_NODE_CLASS,
    HORIZONTAL_POD_AUTOSCALER,
    MANAGED_CLUSTER,
    MANAGED_CLUSTERS_AGENT_POOL,
    NODE_POOL,
    SCALED_OBJECT,
)
from gitgpu.model.software.run_by_aks import run_by_aks
from gitgpu.objects.items import item_of
from gitgpu.objects.manifest.manifest_file import ItemPlaces
from gitgpu.objects.norms import Norms
from gitgpu.objects.objects import Extent, Given, Item
from gitgpu.objects.validation.violations import SOME, newer_shape
from gitgpu.objects.workload.known_kinds import WORKLOADS
from gitgpu.rules.object_findings import rule_findings
from gitgpu.rules.object_rule import Rule
from gitgpu.rules.object_rulebook import rules_for
from gitgpu.simulate.pod.templates import templates

POOLS = (NODE_POOL, MANAGED_CLUSTERS_AGENT_POOL, MANAGED_CLUSTER)
_SCALERS = (HORIZONTAL_POD_AUTOSCALER, SCALED_OBJECT)
_CEL = "CNF018"  # a CEL rule of a CRD is broken


def rejection_norms(norms: Norms) -> Norms:
    """Norms with only the rules about objects that never exist, or that their controllers never use.

    If the Karpenter release is unknown, it is the one that AKS runs as node auto-provisioning, unless there are CRDs of
    a newer one among the manifests.
    """
    is_newer = any(version.startswith(f"{KARPENTER_GROUP}/") for version, _ in norms.find_definitions())
    known = is_newer or norms.versions_of("karpenter")
    karpenter = None if known else run_by_aks(norms.catalog, "karpenter", norms.today)
    versions = (*norms.versions, ("karpenter", karpenter.releases)) if karpenter else norms.versions
    return replace(norms, rules=partial(rules_for, counts=_is_about_rejection), versions=versions)


def _is_about_rejection(rule: Rule) -> bool:
    return rule.rejects or rule.never_ready


def admit(given: Given, minor: str, norms: Norms) -> tuple[Item, Diagnostic | None]:
    """The object, and the fault for which the API server would reject it or a pod in it; None if there is none."""
    item, fault = _checked(given, minor, norms)
    if item.sound:
        for pod in _pods(item):
            _, fault = _checked(pod, minor, norms)
            if fault:
                return item._replace(sound=False), fault
    return item, fault


def counts(item: Item) -> bool:
    """Whether to report the object if it is rejected: pools, node classes, workloads and autoscalers."""
    identity = item.identity
    reported = (*POOLS, AKS_NODE_CLASS, *WORKLOADS, *_SCALERS)
    return (identity.group, identity.kind) in reported or any(True for _ in templates(item))


def _checked(given: Given, minor: str, norms: Norms) -> tuple[Item, Diagnostic | None]:
    item, faults = item_of(given, minor, norms)
    # KAITO's webhook follows the values of its chart, which may be in other files. Its pods are not simulated either.
    if item.sound and item.identity.group != KAITO_GROUP:
        # An object that matches the schema of its CRD can still break a CEL rule.
        found = [*(fault for fault in faults if fault.code == _CEL), *rule_findings([item], minor, norms, Extent())]
        faults = [fault for fault in found if fault.code != SOME]  # another release accepts it
        item = item._replace(sound=not faults)
    if item.sound:
        return item, None
    return item, faults[0] if faults else newer_shape(item)


def _pods(item: Item) -> Iterator[Given]:
    """The pods in an object of an unknown kind, as if each were a separate object."""
    start: dict[str, Any] = {"apiVersion": "v1", "kind": "Pod"}
    for template in templates(item):
        written = template.body.get("metadata")
        # Its controller names the pod, and writes its other metadata as they are.
        metadata = {**(written or {}), "name": "pod"} if isinstance(written, dict | None) else written
        body = {**start, "metadata": metadata, "spec": template.body["spec"]}
        yield Given(body, ItemPlaces(item.given.places, template.pointer))

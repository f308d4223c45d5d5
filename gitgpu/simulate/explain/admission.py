"""The objects that the API server would reject: the simulation ignores them, and the forecast says why."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from gitgpu.diagnostic import Diagnostic
from gitgpu.model.names.groups import KARPENTER_AZURE_GROUP
from gitgpu.model.names.kinds import (
    HORIZONTAL_POD_AUTOSCALER,
    MANAGED_CLUSTER,
    MANAGED_CLUSTERS_AGENT_POOL,
    NODE_POOL,
    SCALED_OBJECT,
)
from gitgpu.objects.items import item_of
from gitgpu.objects.manifest.objects import ItemPlaces
from gitgpu.objects.node.node_classes import KIND
from gitgpu.objects.norms import Norms
from gitgpu.objects.objects import WORKLOADS, Extent, Given, Item
from gitgpu.rules.object_findings import related
from gitgpu.rules.object_rule import Rule
from gitgpu.rules.object_rulebook import rules_for
from gitgpu.simulate.pod.templates import templates

POOLS = (NODE_POOL, MANAGED_CLUSTERS_AGENT_POOL, MANAGED_CLUSTER)
_SCALERS = (HORIZONTAL_POD_AUTOSCALER, SCALED_OBJECT)
_CEL = "CNF018"  # a CEL rule of a CRD is broken
_NAMES = ("CNF003", "CNF004", "CNF005")  # of an object, its labels and annotations
_PODS = (
    *_NAMES,
    *("CNF006", "NAM001", "NAM002", "NAM004", "NAM005", "NAM006", "NAM007", "POD009", "POD010", "POD023"),
    *("POD024", "POD025", "POD026", "POD027", "POD028", "POD029", "POD030"),
    *("POD031", "POD032", "POD033", "POD034"),
    *("NAM010", "RSC001", "RSC002", "RSC006", "RSC007"),
)
_SCALER = (*_NAMES, "KED004", "KED026", "KED031", "NAM010")
_TRIGGERS = ("KED009", "KED011", "KED017", "KED060")
# The rules of lint about what the API server or an admission webhook rejects, and what Karpenter (RuntimeValidate) or
# KEDA does not use. Only those that need no other object.
_REFUSING = {
    "HorizontalPodAutoscaler": (*_SCALER, "KED024"),
    "ScaledJob": (*_PODS, *_SCALER, *_TRIGGERS),
    "ScaledObject": (*_SCALER, *_TRIGGERS, "KED005", "KED008", "KED010"),
    "NodePool": (
        *_NAMES,
        *("CNF009", "CNF011", "CNF013", "NPL001", "NPL002", "NPL003", "NPL004", "NPL005", "NPL006", "NPL027"),
    ),
    "AKSNodeClass": (*_NAMES, "ANC001", "ANC002", "ANC003", "ANC004", "ANC005", "ANC006", "ANC008"),
}


def refusing_codes() -> frozenset[str]:
    """The codes of all these rules."""
    return frozenset(_PODS).union(*_REFUSING.values())


def refusing(norms: Norms) -> Mapping[str, Norms]:
    """Norms with only the rules about rejected objects, by kind of object; "" is for all kinds with pods."""
    codes: dict[str, tuple[str, ...]] = {"": _PODS, **_REFUSING}
    return {kind: _only(frozenset(wanted), norms) for kind, wanted in codes.items()}


def _only(codes: frozenset[str], norms: Norms) -> Norms:
    return replace(norms, rules=partial(rules_for, counts=partial(_is_among, codes)))


def _is_among(codes: frozenset[str], rule: Rule) -> bool:
    return rule.code in codes


def admitted(given: Given, minor: str, norms: Mapping[str, Norms]) -> tuple[Item, Diagnostic | None]:
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
    reported = (*POOLS, (KARPENTER_AZURE_GROUP, KIND), *WORKLOADS, *_SCALERS)
    return (identity.group, identity.kind) in reported or any(True for _ in templates(item))


def _checked(given: Given, minor: str, norms: Mapping[str, Norms]) -> tuple[Item, Diagnostic | None]:
    of_kind = norms.get(str(given.body.get("kind")), norms[""])
    item, faults = item_of(given, minor, of_kind)
    if item.sound:
        # An object that matches the schema of its CRD can still break a CEL rule.
        faults = [*(fault for fault in faults if fault.code == _CEL), *related([item], minor, of_kind, Extent())]
        item = item._replace(sound=not faults)
    return item, (faults[0] if not item.sound else None)


def _pods(item: Item) -> Iterator[Given]:
    """The pods in an object of an unknown kind, as if each were a separate object."""
    start: dict[str, Any] = {"apiVersion": "v1", "kind": "Pod"}
    for template in templates(item):
        written = template.body.get("metadata")
        # Its controller names the pod, and writes its other metadata as they are.
        metadata = {**(written or {}), "name": "pod"} if isinstance(written, dict | None) else written
        body = {**start, "metadata": metadata, "spec": template.body["spec"]}
        yield Given(body, ItemPlaces(item.given.places, template.pointer))

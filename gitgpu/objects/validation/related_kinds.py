"""Related kinds: if one of them does not have a key, another may."""

from collections.abc import Mapping
from typing import NamedTuple

from gitgpu.access import reach
from gitgpu.load.explain.fault import Fault
from gitgpu.load.explain.repairs import places_of_keys
from gitgpu.load.validate.compiler import local_references
from gitgpu.model.names.groups import (
    KARPENTER_AZURE_GROUP,
    KARPENTER_AZURE_V1BETA1,
    KARPENTER_V1,
    KEDA_V1ALPHA1,
    MONITORING_V1,
    NVIDIA_V1ALPHA1,
)
from gitgpu.model.names.kinds import (
    AKS_NODE_CLASS,
    CLUSTER_POLICY,
    NODE_CLAIM,
    NODE_POOL,
    NVIDIA_DRIVER,
    POD_MONITOR,
    SCALED_JOB,
    SCALED_OBJECT,
    SERVICE_MONITOR,
    TRIGGER_AUTHENTICATION,
)
from gitgpu.objects.objects import Item
from gitgpu.objects.schema.contracts import Contracts
from gitgpu.source import dotted_text

_NODE_POOL, _NODE_CLASS = (KARPENTER_V1, NODE_POOL.kind), (KARPENTER_AZURE_V1BETA1, AKS_NODE_CLASS.kind)
_OBJECT, _JOB = (KEDA_V1ALPHA1, SCALED_OBJECT.kind), (KEDA_V1ALPHA1, SCALED_JOB.kind)
_ACCESS = (KEDA_V1ALPHA1, TRIGGER_AUTHENTICATION.kind)
_SERVICES, _PODS = (MONITORING_V1, SERVICE_MONITOR.kind), (MONITORING_V1, POD_MONITOR.kind)
_POLICY, _DRIVER = ("nvidia.com/v1", CLUSTER_POLICY.kind), (NVIDIA_V1ALPHA1, NVIDIA_DRIVER.kind)
SIBLINGS: Mapping[str, tuple[tuple[str, str], ...]] = {
    NODE_POOL.kind: (_NODE_CLASS,),
    NODE_CLAIM.kind: (_NODE_CLASS,),
    AKS_NODE_CLASS.kind: (_NODE_POOL,),
    SCALED_OBJECT.kind: (_JOB, _ACCESS),
    SCALED_JOB.kind: (_OBJECT, _ACCESS),
    SERVICE_MONITOR.kind: (_PODS,),
    POD_MONITOR.kind: (_SERVICES,),
    CLUSTER_POLICY.kind: (_DRIVER,),
    NVIDIA_DRIVER.kind: (_POLICY,),
}


class Home(NamedTuple):
    """Where a key belongs: the kind, and the key with its parents."""

    kind: str
    place: str


def sibling(contracts: Contracts, minor: str, kind: tuple[str, str], key: str) -> Home | None:
    """The place of a key in a kind that is related to an (apiVersion, kind); None if it has none or several."""
    for api_version, other in SIBLINGS.get(kind[1], ()):
        own = contracts.find(minor, kind[0], other)  # PodMonitor and ServiceMonitor are kinds of two groups
        schema = (own if own.api_version else contracts.find(minor, api_version, other)).newest
        places = places_of_keys(schema, frozenset({key}), local_references(schema)).get(key, [])
        if len(places) == 1 and places[0]:
            return Home(other, f"{dotted_text(places[0])}.{key}")
    return None


def misplaced_key(fault: Fault, item: Item, minor: str, contracts: Contracts) -> Fault:
    """The fault, with the place where the key belongs if a related kind has it."""
    key = str(fault.pointer[-1]) if fault.unknown else ""
    kind = (str(item.body.get("apiVersion", "")), item.identity.kind)
    home = sibling(contracts, minor, kind, key) if key and not _has_other_class(item) else None
    if home is None:
        return fault
    message, remedy = f"{item.identity.kind} has no key '{key}' here", f"set it in the {home.kind}, as {home.place}"
    return Fault(fault.pointer, message, remedy, fault.at_key)


def _has_other_class(item: Item) -> bool:
    """Whether it is a NodePool or NodeClaim with a node class of another cloud."""
    places = (("spec", "template", "spec"), ("spec",))
    groups = [reach(item.body, *place, "nodeClassRef", "group") for place in places]
    return any(group and group != KARPENTER_AZURE_GROUP for group in groups)

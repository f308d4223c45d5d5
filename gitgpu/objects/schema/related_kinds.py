"""Related kinds: if one of them does not have a key, another may."""

from collections.abc import Mapping
from typing import NamedTuple

from gitgpu.load.explain.fault import Fault
from gitgpu.load.explain.repairs import dotted_path, places_of_keys
from gitgpu.load.validate.compiler import local_references
from gitgpu.model.names.groups import (
    KARPENTER_AZURE_V1BETA1,
    KARPENTER_V1,
    KEDA_V1ALPHA1,
    MONITORING_V1,
    NVIDIA_V1ALPHA1,
)
from gitgpu.objects.objects import Item
from gitgpu.objects.schema.contract import Contracts

_NODE_POOL, _NODE_CLASS = (KARPENTER_V1, "NodePool"), (KARPENTER_AZURE_V1BETA1, "AKSNodeClass")
_OBJECT, _JOB = (KEDA_V1ALPHA1, "ScaledObject"), (KEDA_V1ALPHA1, "ScaledJob")
_ACCESS = (KEDA_V1ALPHA1, "TriggerAuthentication")
_SERVICES, _PODS = (MONITORING_V1, "ServiceMonitor"), (MONITORING_V1, "PodMonitor")
_POLICY, _DRIVER = ("nvidia.com/v1", "ClusterPolicy"), (NVIDIA_V1ALPHA1, "NVIDIADriver")
SIBLINGS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "NodePool": (_NODE_CLASS,),
    "NodeClaim": (_NODE_CLASS,),
    "AKSNodeClass": (_NODE_POOL,),
    "ScaledObject": (_JOB, _ACCESS),
    "ScaledJob": (_OBJECT, _ACCESS),
    "ServiceMonitor": (_PODS,),
    "PodMonitor": (_SERVICES,),
    "ClusterPolicy": (_DRIVER,),
    "NVIDIADriver": (_POLICY,),
}


class Home(NamedTuple):
    """Where a key belongs: the kind, and the key with its parents."""

    kind: str
    place: str


def sibling(contracts: Contracts, minor: str, kind: str, key: str) -> Home | None:
    """The place of a key in a related kind; None if it has none or several."""
    for api_version, other in SIBLINGS.get(kind, ()):
        schema = contracts.find(minor, api_version, other).schema
        places = places_of_keys(schema, frozenset({key}), local_references(schema)).get(key, [])
        if len(places) == 1 and places[0]:
            return Home(other, f"{dotted_path(places[0])}.{key}")
    return None


def misplaced_key(fault: Fault, item: Item, minor: str, contracts: Contracts) -> Fault:
    """The fault, with the place where the key belongs if a related kind has it."""
    key = str(fault.pointer[-1]) if fault.unknown else ""
    home = sibling(contracts, minor, item.identity.kind, key) if key else None
    if home is None:
        return fault
    message, remedy = f"{item.identity.kind} has no key '{key}' here", f"set it in the {home.kind}, as {home.place}"
    return Fault(fault.pointer, message, remedy, fault.at_key)

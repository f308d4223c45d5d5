"""Settings of an AKS node pool that a GpuPool keeps under their names in Azure's API."""

from base64 import b64decode
from collections.abc import Mapping
from typing import Any

from gitgpu.adopt.comparison import without_unset
from gitgpu.emit.node.agent_pool import RESOURCES
from gitgpu.source import Pointer

_AS_THEY_ARE = (
    "scaleSetEvictionPolicy",
    "scaleDownMode",
    "upgradeSettings",
    "securityProfile",
    "enableNodePublicIP",
    "networkProfile",
    "podIPAllocationMode",
    "enableUltraSSD",
    "kubeletDiskType",
    "messageOfTheDay",
    "creationData",
    "windowsProfile",
    *RESOURCES.values(),
)
# AKS defaults, which are omitted from the spec.
_DEFAULTS: Mapping[str, Any] = {"scaleSetEvictionPolicy": "Delete", "kubeletDiskType": "OS"}
# The spec has resource IDs in place of the references that Azure Service Operator uses.
_IDS = {reference: key for key, reference in RESOURCES.items()}
PLACES: Mapping[Pointer, Pointer] = {
    ("spec", "mode"): ("spec", "agentPool", "mode"),
    **{("spec", key): ("spec", "agentPool", _IDS.get(key, key)) for key in _AS_THEY_ARE},
}


def agent_settings(spec: Mapping[str, Any]) -> dict[str, Any]:
    """The `agentPool` of a GpuPool for the spec of a node pool, without defaults and settings that are not set."""
    values = {key: without_unset(spec.get(key)) for key in _AS_THEY_ARE}
    properties = {key: value for key, value in values.items() if _is_set(key, value)}
    if spec.get("mode") == "System":
        properties = {"mode": "System", **properties}
    price = spec.get("spotMaxPrice")
    if price is not None and price != -1:
        properties["spotMaxPrice"] = price
    if "messageOfTheDay" in properties:
        properties["messageOfTheDay"] = _decoded(properties["messageOfTheDay"])
    settings = with_azure_names(properties)
    return {"agentPool": settings} if settings else {}


def _decoded(text: str) -> str:
    """A message of the day as text: Azure stores it as Base64. Text that is not Base64 stays as it is."""
    try:
        return b64decode(text, validate=True).decode()
    except ValueError:
        return text


def with_azure_names(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings with resource IDs in place of the references that Azure Service Operator uses."""
    renamed: dict[str, Any] = {}
    for key, value in settings.items():
        if key == "applicationSecurityGroupsReferences":
            renamed["applicationSecurityGroups"] = [entry.get("armId") for entry in value]
        elif key in _IDS:
            renamed[_IDS[key]] = value.get("armId") if isinstance(value, Mapping) else value
        elif isinstance(value, Mapping):
            renamed[key] = with_azure_names(value)
        elif value is not None:
            renamed[key] = value
    return renamed


def _is_set(key: str, value: Any) -> bool:
    return value not in (None, False, {}, [], "") and value != _DEFAULTS.get(key)

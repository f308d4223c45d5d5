"""Properties of Azure's API that are the ID of a resource, which Azure Service Operator has as references."""

from collections.abc import Mapping
from typing import Any

REFERENCES: Mapping[str, str] = {
    "applicationSecurityGroups": "applicationSecurityGroupsReferences",  # a list
    "capacityReservationGroupID": "capacityReservationGroupReference",
    "hostGroupID": "hostGroupReference",
    "nodePublicIPPrefixID": "nodePublicIPPrefixReference",
    "podSubnetID": "podSubnetReference",
    "proximityPlacementGroupID": "proximityPlacementGroupReference",
    "sourceResourceId": "sourceResourceReference",
    "vnetSubnetID": "vnetSubnetReference",
}
_IDS = {reference: name for name, reference in REFERENCES.items()}
_WITH_IDS = ("creationData", "networkProfile")  # properties with such properties in them


def with_references(properties: Mapping[str, Any]) -> dict[str, Any]:
    """The properties as Azure Service Operator has them."""
    result: dict[str, Any] = {}
    for name, value in properties.items():
        if name in _WITH_IDS:
            result[name] = with_references(value)
        elif name in REFERENCES:
            listed = isinstance(value, list)
            result[REFERENCES[name]] = [{"armId": each} for each in value] if listed else {"armId": value}
        else:
            result[name] = value
    return result


def with_ids(properties: Mapping[str, Any]) -> dict[str, Any]:
    """The properties as Azure's API has them, without those that are null."""
    result: dict[str, Any] = {}
    for field, value in properties.items():
        if field in _IDS and value is not None:
            listed = isinstance(value, list)
            result[_IDS[field]] = [_id(each) for each in value] if listed else _id(value)
        elif isinstance(value, Mapping):
            result[field] = with_ids(value)
        elif value is not None:
            result[field] = value
    return result


def _id(reference: Any) -> Any:
    return reference.get("armId") if isinstance(reference, Mapping) else reference

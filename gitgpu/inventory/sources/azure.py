"""Azure resources as `az` and Azure's REST API print them: AKS clusters, their node pools and extensions.

`az aks show|list` and `az aks nodepool show|list` write properties next to id, name and type, with another case (osSku,
enableFips, vnetSubnetId, as in azure.mgmt.containerservice). `az rest`, `az resource show` and the REST API have them
under `properties` (Azure/azure-rest-api-specs, containerservice/aks, AgentPoolsGet and ManagedClustersGet). `--query`
may keep only some of them: a pool is recognised by its name and vmSize.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.diagnostic import Places
from gitgpu.inventory.azure_facts import cluster_of
from gitgpu.inventory.azure_resources import CLUSTER, POOL, Resource, observed_resource
from gitgpu.inventory.combined import together
from gitgpu.inventory.observed import Inventory, Skipped
from gitgpu.inventory.source import Source
from gitgpu.source import Pointer

_POOL_KEYS = {"mode", "osType", "count", "maxCount", "orchestratorVersion", "osSku", "nodeLabels", "enableAutoScaling"}


def recognises(data: Any) -> bool:
    """Whether it is an Azure resource, a list of resources, or a page of such a list."""
    entries = _entries(data)
    return bool(entries) and any(_type(entry) for _, entry in entries)


def reads(data: Any, places: Places) -> Inventory:
    """The clusters and pools among the resources."""
    return together(_resources(data, places))


def _resources(data: Any, places: Places) -> Iterator[Inventory]:
    for pointer, entry in _entries(data):
        kind = _type(entry)
        if not kind:
            reason = "not an Azure resource: it has no id and type"
            yield Inventory((), (Skipped("entry", places.span(pointer), reason),))
            continue
        yield observed_resource(_resource(kind, entry, places, pointer))


def resources(data: Any, places: Places) -> Iterator[Resource]:
    """The resources in a document that `recognises` accepts."""
    for pointer, entry in _entries(data):
        if kind := _type(entry):
            yield _resource(kind, entry, places, pointer)


def _resource(kind: str, entry: Mapping[str, Any], places: Places, pointer: Pointer) -> Resource:
    inside: Pointer = ("properties",) if isinstance(entry.get("properties"), dict) else ()
    name = str(entry.get("name") or "").rpartition("/")[2]  # CLUSTER/POOL in some responses
    return Resource(kind, name, entry, places, pointer, inside, live=True)


def _entries(data: Any) -> list[tuple[Pointer, Any]]:
    """The resources in a document: the document itself, the entries of a list, or the entries of a REST API page."""
    if isinstance(data, list):
        return [((index,), entry) for index, entry in enumerate(data)]
    if isinstance(data, dict) and isinstance(data.get("value"), list) and not data.get("type"):
        return [(("value", index), entry) for index, entry in enumerate(data["value"])]
    return [((), data)]


def _type(entry: Any) -> str:
    """The type of a resource; "" for anything else."""
    if not isinstance(entry, dict) or "apiVersion" in entry:
        return ""
    kind, identifier = entry.get("type"), entry.get("id")
    if isinstance(kind, str) and "/" in kind and isinstance(identifier, str) and identifier.startswith("/"):
        return kind
    if isinstance(entry.get("agentPoolProfiles"), list):
        return CLUSTER
    if cluster_of(identifier).resource_id and "/agentpools/" in str(identifier).lower():
        return POOL
    is_pool = isinstance(entry.get("vmSize"), str) and "name" in entry and bool(_POOL_KEYS & set(entry))
    return POOL if is_pool else ""


SOURCE = Source("azure", recognises, reads)

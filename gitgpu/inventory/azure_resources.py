"""AKS clusters, their node pools and extensions as Azure resources, with any spelling of their properties."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from gitgpu.access import list_at, mapping_at, text_at
from gitgpu.diagnostic import Places
from gitgpu.inventory.agent_pools import PoolSource, agent_pool
from gitgpu.inventory.azure_facts import azure_facts, cluster_of, excluded_namespaces, lower_case_value
from gitgpu.inventory.observed import Azure, Inventory, Observed, ObservedCluster, Owner, Skipped
from gitgpu.source import Pointer

CLUSTER = "microsoft.containerservice/managedclusters"
POOL = f"{CLUSTER}/agentpools"
SAFEGUARDS = "microsoft.containerservice/deploymentsafeguards"  # `az aks safeguards show`
EXTENSION = "microsoft.kubernetesconfiguration/extensions"  # `az k8s-extension list` and `show`
_EXTENSIONS = {"microsoft.kueue": "kueue"}  # what they run, as in `Azure.addons`
_NOT_RUNNING = ("canceled", "deleting", "failed")


class Resource(NamedTuple):
    """A resource: its type, its name, its properties and the keys next to them, and its place.

    `above` is the pointer to the resource, and `inside` that to its properties from there. `parent` is the name of its
    cluster if its ID is not known. `label` is its name in the document.
    """

    type: str
    name: str
    body: Mapping[Any, Any]
    places: Places
    above: Pointer = ()
    inside: Pointer = ()
    parent: str = ""
    label: str = ""
    owner: Owner = Owner()
    source: str = "azure"
    live: bool = False
    whole: bool = True


def observed_resource(resource: Resource) -> Inventory:
    """The inventory of a resource: a cluster with its pools, or a part of a cluster. Others are skipped."""
    kind = resource.type.lower()
    if kind == CLUSTER:
        return Inventory((_cluster(resource),))
    if kind == POOL:
        return Inventory((_pool(resource),))
    if kind == SAFEGUARDS:
        return _safeguards(resource)
    if kind == EXTENSION:
        return _extension(resource)
    return _skipped(resource, "neither an AKS cluster nor a node pool")


def _skipped(resource: Resource, reason: str) -> Inventory:
    label = resource.label or f"{resource.type} {resource.name}".strip()
    return Inventory((), (Skipped(label, resource.places.span(resource.above), reason),))


def _extension(resource: Resource) -> Inventory:
    """An extension of a cluster that the spec has a key for; others are skipped."""
    properties = properties_of(resource)
    kind = str(lower_case_value(properties, "extensiontype")).lower()
    state = str(lower_case_value(properties, "provisioningstate") or "")
    identifier, cluster = cluster_of(lower_case_value(resource.body, "id"))
    if kind not in _EXTENSIONS or not identifier:
        return _skipped(resource, "not an extension of an AKS cluster that gitgpu installs")
    if state.lower() in _NOT_RUNNING:
        return _skipped(resource, f"its state is {state}")
    facts = Azure(resource_id=identifier, addons={_EXTENSIONS[kind]: True})
    return Inventory((ObservedCluster(cluster, facts, ()),))


def _safeguards(resource: Resource) -> Inventory:
    """The safeguards of a cluster, whose ID their own begins with."""
    identifier, cluster = cluster_of(lower_case_value(resource.body, "id"))
    if not (cluster or resource.parent):
        return _skipped(resource, "the input does not contain the cluster of these safeguards")
    facts = Azure(resource_id=identifier or None, excluded=excluded_namespaces(properties_of(resource)))
    return Inventory((ObservedCluster(cluster or resource.parent, facts, ()),))


def _cluster(resource: Resource) -> ObservedCluster:
    properties = properties_of(resource)
    identifier, name = cluster_of(lower_case_value(resource.body, "id"))
    name = name or resource.name
    span = resource.places.span(resource.above)
    siblings = mapping_at(resource.body, *resource.inside[:-1])  # what ARM has next to the properties
    facts = azure_facts({**resource.body, **siblings, **properties}, identifier or None, span)
    pools = tuple(_profiles(resource, properties, identifier))
    if resource.live:
        default = lower_case_value(properties, "nodeprovisioningprofile", "defaultnodepools") or "Auto"
        names = frozenset(text_at(pool.body, "metadata", "name") for pool in pools)
        facts = facts._replace(pools=names, makes_pools=facts.provisioner == "nap" and default != "None")
    return ObservedCluster(name, facts, pools)


def _profiles(resource: Resource, properties: Mapping[str, Any], cluster: str) -> Iterator[Observed]:
    """The pools inside a cluster."""
    key = next((key for key in properties if key.lower() == "agentpoolprofiles"), "")
    for index, profile in enumerate(list_at(properties, key)):
        name = lower_case_value(profile, "name")
        if isinstance(name, str):
            pointer = (*resource.above, *resource.inside, key, index)
            label = f"{resource.label}: node pool {name}" if resource.label else ""
            yield agent_pool(name, profile, cluster, _source(resource, pointer, label))


def _pool(resource: Resource) -> ObservedCluster:
    identifier, cluster = cluster_of(lower_case_value(resource.body, "id"))
    pointer = (*resource.above, *resource.inside)
    pool = agent_pool(resource.name, properties_of(resource), identifier, _source(resource, pointer, resource.label))
    return ObservedCluster(cluster or resource.parent, Azure(resource_id=identifier or None), (pool,))


def _source(resource: Resource, pointer: Pointer, label: str) -> PoolSource:
    return PoolSource(resource.source, resource.places, pointer, label, resource.owner, resource.live, resource.whole)


def properties_of(resource: Resource) -> dict[str, Any]:
    """The properties of a resource. `az` writes them next to its type, and renames their `type` typePropertiesType."""
    value: Any = resource.body
    for key in resource.inside:
        value = value.get(key) if isinstance(value, dict) else None
    properties = dict(value) if isinstance(value, dict) else {}
    if not resource.inside:
        properties.pop("type", None)
        pool_type = properties.pop("typePropertiesType", None)
        properties |= {"type": pool_type} if pool_type else {}
    return properties

"""The resources in a state or a plan to an inventory."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from typing import Any, NamedTuple

from gitgpu.access import reach, text_at
from gitgpu.diagnostic import Diagnostic, Places, Severity
from gitgpu.inventory.agent_pools import PoolSource
from gitgpu.inventory.azure_facts import cluster_of, excluded_namespaces, hosts_of
from gitgpu.inventory.azure_resources import CLUSTER, POOL, SAFEGUARDS, observed_resource
from gitgpu.inventory.azure_resources import Resource as AzureResource
from gitgpu.inventory.combined import together
from gitgpu.inventory.kubernetes_objects import Source as ObjectSource
from gitgpu.inventory.kubernetes_objects import observed_object
from gitgpu.inventory.names_of_azure import Moved
from gitgpu.inventory.observed import Azure, Inventory, Observed, ObservedCluster, Owner, Skipped
from gitgpu.inventory.secrets import secret_places, without_secrets
from gitgpu.inventory.terraform.clusters import terraform_cluster
from gitgpu.inventory.terraform.pools import block, terraform_pool
from gitgpu.inventory.terraform.releases import release_values
from gitgpu.inventory.terraform.resources import PlannedChange, Resource
from gitgpu.load.null_fields import without_null
from gitgpu.load.parse.yaml import parse
from gitgpu.load.text import Text
from gitgpu.objects.manifest.manifest_file import is_object
from gitgpu.source import Pointer

SOURCE = "terraform"
_CLUSTER, _POOL = "azurerm_kubernetes_cluster", "azurerm_kubernetes_cluster_node_pool"
_AUTOMATIC = "azurerm_kubernetes_automatic_cluster"  # always has node auto-provisioning and KEDA
_CLUSTERS = (_CLUSTER, _AUTOMATIC)
_SAFEGUARDS = "azurerm_kubernetes_cluster_deployment_safeguard"
_AZAPI = ("azapi_resource", "azapi_update_resource")
_MANIFESTS = {"kubernetes_manifest": "manifest", "kubectl_manifest": "yaml_body_parsed"}
_OTHER_CLOUDS = ("aws_", "google_")


class _Document(NamedTuple):
    """A document, and the names of its clusters by module."""

    places: Places
    clusters: Mapping[str, list[str]]


def read_resources(resources: Iterable[Resource], places: Places) -> Inventory:
    """The inventory of the resources."""
    all_resources = list(resources)
    clusters: dict[str, list[str]] = {}
    for resource in all_resources:
        if resource.type in _CLUSTERS and text_at(resource.values, "name"):
            clusters.setdefault(resource.module, []).append(text_at(resource.values, "name"))
    document = _Document(places, clusters)
    return together(_read(resource, document) for resource in all_resources)


def pending_changes(changed: Mapping[str, PlannedChange], places: Places) -> Iterator[Diagnostic]:
    """Warnings about resources that are read from a plan that changes them, so that they do not run like this yet."""
    for address, (action, pointer) in sorted(changed.items()):
        if any(f"{kind}." in address for kind in _READERS):
            message = f"the plan will {action} {address}: gitgpu reads the planned state, not the running one"
            remedy = "apply the plan first, or run `terraform show -json` without a plan file, which prints the state"
            yield Diagnostic("IMP008", Severity.WARNING, message, remedy, places.span(pointer))


def _read(resource: Resource, document: _Document) -> Inventory:
    reads = _READERS.get(resource.type)
    if reads and not (resource.data and resource.type not in _CLUSTERS):
        return reads(resource, document)
    if resource.data:
        return _skipped(resource, document, "a data source: Terraform only reads it")
    other = resource.type.startswith(_OTHER_CLOUDS)
    return _skipped(resource, document, "for another cloud" if other else "not related to node pools or GPU software")


def _skipped(resource: Resource, document: _Document, reason: str) -> Inventory:
    return Inventory((), (Skipped(resource.address, document.places.span(resource.pointer), reason),))


def _cluster(resource: Resource, document: _Document) -> Inventory:
    facts = terraform_cluster(resource.values, document.places.span(resource.pointer))
    if resource.type == _AUTOMATIC:
        facts = facts._replace(provisioner="nap", sku="automatic", addons={"keda": True, **facts.addons})
    pools: list[Observed] = []
    default = block(resource.values, "default_node_pool")
    if default.get("name") and not resource.data:
        pointer = (*resource.pointer, "default_node_pool", 0)
        source = _pool_source(resource, document, pointer)._replace(label=f"{resource.address}: default_node_pool")
        values = {"mode": "System", **default}
        pools.append(terraform_pool(values, facts.resource_id or "", source))
    return Inventory((ObservedCluster(text_at(resource.values, "name"), facts, tuple(pools)),))


def _pool(resource: Resource, document: _Document) -> Inventory:
    identifier, name = cluster_of(resource.values.get("kubernetes_cluster_id"))
    if not text_at(resource.values, "name"):
        return _skipped(resource, document, "its name is known only when it is applied")
    pool = terraform_pool(resource.values, identifier, _pool_source(resource, document, resource.pointer))
    cluster = ObservedCluster(name or _only(resource, document), Azure(resource_id=identifier or None), (pool,))
    return Inventory((cluster,))


def _safeguards(resource: Resource, document: _Document) -> Inventory:
    identifier, name = cluster_of(resource.values.get("kubernetes_cluster_id"))
    name = name or _only(resource, document)
    if not name:
        return _skipped(resource, document, "the input does not contain the cluster of these safeguards")
    excluded = excluded_namespaces({"excludedNamespaces": resource.values.get("excluded_namespaces")})
    return Inventory((ObservedCluster(name, Azure(resource_id=identifier or None, excluded=excluded), ()),))


def _pool_source(resource: Resource, document: _Document, pointer: Pointer) -> PoolSource:
    return PoolSource(SOURCE, document.places, pointer, resource.address, Owner("terraform", resource.address))


def _only(resource: Resource, document: _Document) -> str:
    """The cluster of a pool if the cluster has no ID yet: the only one in its module, or in the document."""
    clusters = document.clusters.get(resource.module) or list(chain.from_iterable(document.clusters.values()))
    return clusters[0] if len(clusters) == 1 else ""


def _azapi(resource: Resource, document: _Document) -> Inventory:
    """A resource of Azure/azapi: `type` is TYPE@VERSION, and `body` a mapping (JSON text in release 1)."""
    body = resource.values.get("body")
    inside: Pointer = ("body", "properties")
    if isinstance(body, str):
        body = _parsed(body)
    kind = text_at(resource.values, "type").partition("@")[0]
    if kind.lower() not in (CLUSTER, POOL, SAFEGUARDS):
        return _skipped(resource, document, "not related to node pools or GPU software")
    whole = {**resource.values, "body": body, "id": resource.values.get("id") or resource.values.get("parent_id")}
    azure_resource = AzureResource(
        type=kind,
        name=text_at(resource.values, "name"),
        body=whole,
        places=document.places,
        above=resource.pointer,
        inside=inside,
        parent=_only(resource, document),
        label=resource.address,
        owner=Owner("terraform", resource.address),
        source=SOURCE,
    )
    inventory = observed_resource(azure_resource)
    hosts = _exported_hosts(resource.values)
    clusters = (each._replace(azure=each.azure._replace(hosts=hosts)) for each in inventory.clusters)
    return inventory._replace(clusters=tuple(clusters))


def _exported_hosts(values: Mapping[str, Any]) -> frozenset[str]:
    """The host names of the API server, if `response_export_values` has them: with Azure's names, or of one's own.

    The provider writes a mapping, and release 1 JSON text.
    """
    output = values.get("output")
    exported = _parsed(output) if isinstance(output, str) else output
    return hosts_of(exported) | hosts_of(reach(exported, "properties"))


def _parsed(text: str) -> Any:
    """The first document in the text of an attribute, or None."""
    read, _ = parse(Text("", text, ""), as_json=True)
    return read[0].data if read else None


def _release(resource: Resource, document: _Document) -> Inventory:
    body = release_values(resource.values)
    places = Moved(document.places, {(): resource.pointer, ("values",): (*resource.pointer, "values")})
    hidden = tuple(secret_places(body["values"], ("values",)))
    body["values"], skipped = without_secrets(body["values"], resource.address, places, ("values",))
    span = document.places.span(resource.pointer)
    if resource.values.get("set_sensitive"):
        hidden = (*hidden, ("set_sensitive",))
        skipped += (Skipped(f"{resource.address}: set_sensitive", span, "sensitive values are never read"),)
    observed = Observed(body, places, resource.address, SOURCE, Owner("terraform", resource.address))
    observed = observed._replace(hidden=hidden)
    return Inventory((ObservedCluster(_only(resource, document), Azure(), (observed,)),), skipped)


def _manifest(resource: Resource, document: _Document) -> Inventory:
    """An object of hashicorp/kubernetes (`manifest`), or of the kubectl providers (text without sensitive values)."""
    key = _MANIFESTS[resource.type]
    body: Any = resource.values.get(key) or resource.values.get("yaml_body")
    origin: Pointer = (*resource.pointer, key)
    if isinstance(body, str):
        body = _parsed(body)
    if not is_object(body):
        return _skipped(resource, document, "the input does not contain its manifest")
    source = ObjectSource(SOURCE, resource.address, Owner("terraform", resource.address))
    inventory = observed_object(without_null(body), Moved(document.places, {(): origin}), source)
    only = _only(resource, document)
    clusters = [cluster._replace(name=cluster.name or only) for cluster in inventory.clusters]
    return inventory._replace(clusters=tuple(clusters))


_READERS: Mapping[str, Callable[[Resource, _Document], Inventory]] = {
    **dict.fromkeys(_CLUSTERS, _cluster),
    _POOL: _pool,
    _SAFEGUARDS: _safeguards,
    "helm_release": _release,
    **dict.fromkeys(_AZAPI, _azapi),
    **dict.fromkeys(_MANIFESTS, _manifest),
}

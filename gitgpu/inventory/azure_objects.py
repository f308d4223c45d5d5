"""AKS clusters and node pools of a text as objects of Azure Service Operator, whose rules then apply to them.

Unlike an inventory, they have everything that the text says, and each text is read on its own. Resources of an ARM
template whose values only a deployment knows are not among them: what is missing in them may be set.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from gitgpu.access import list_at, mapping_at, text_at
from gitgpu.diagnostic import Places
from gitgpu.inventory.arm.resources import TemplateResource, template_resources
from gitgpu.inventory.azure_facts import cluster_of, lower_case_value
from gitgpu.inventory.azure_resources import CLUSTER, POOL, SAFEGUARDS, Resource, observed_resource, properties_of
from gitgpu.inventory.documents import documents
from gitgpu.inventory.names_of_azure import Moved, Renaming
from gitgpu.inventory.sources import arm_template, azure
from gitgpu.load.schemas import Schemas
from gitgpu.load.text import Text
from gitgpu.model.names.kinds import MANAGED_CLUSTER
from gitgpu.source import Span

_CONTRACT = "containerservice.azure.com_managedcluster"
_READ = (CLUSTER, POOL, SAFEGUARDS)
_PROFILES = "agentpoolprofiles"
_IMAGE = "nodeImageVersion"  # a status in the objects of Azure Service Operator


class AzureObject(NamedTuple):
    """A cluster or a node pool. `live` says that Azure printed it."""

    body: dict[str, Any]
    places: Places
    live: bool


class AzureObjects(NamedTuple):
    """Those of a text, and the places of the clusters and node pools in it that are not read.

    `excluded` are the namespaces that the deployment safeguards of each cluster exclude, as far as the text says so.
    """

    objects: tuple[AzureObject, ...]
    unread: tuple[Span, ...] = ()
    excluded: tuple[tuple[str, ...], ...] = ()


def azure_objects(text: Text) -> AzureObjects | None:
    """The clusters and node pools of a text; None if it has other documents too, or cannot be read."""
    read, faults = documents(text)
    objects: list[AzureObject] = []
    unread: list[Span] = []
    excluded: list[tuple[str, ...]] = []
    for data, places in read:
        if azure.recognises(data):
            kept = list(azure.resources(data, places))
        elif arm_template.recognises(data):
            found = [each for each in template_resources(data) if each.type.lower() in _READ]
            deployed = [each for each in found if each.deployed]
            kept = [known for each in deployed for known in _template_resources(each, places)]
            unread += [
                places.span(each.pointer) for each in deployed if each.type.lower() != SAFEGUARDS and _has_unknown(each)
            ]
        else:
            return None
        objects += [made for resource in kept for made in _objects(resource)]
        facts = [cluster.azure for resource in kept for cluster in observed_resource(resource).clusters]
        excluded += [each.excluded for each in facts if each.excluded is not None]
    all_read = AzureObjects(tuple(objects), tuple(unread), tuple(excluded))
    return all_read if not faults and any(all_read) else None


def _template_resources(resource: TemplateResource, places: Places) -> Iterator[Resource]:
    """The resource; if it depends on unknown values, the node pools inside a cluster that do not."""
    if not _has_unknown(resource):
        yield arm_template.azure_resource(resource, places)
        return
    properties = mapping_at(resource.body, "properties")
    key = next((key for key in properties if key.lower() == _PROFILES), "")
    if resource.copied or resource.type.lower() != CLUSTER or not key:
        return
    unknown_places = [place[2:] for place in resource.unknown if place[:2] == ("properties", key)]
    above = (*resource.pointer, "properties", key)
    for index, profile in enumerate(list_at(properties, key)):
        if not any(place[:1] in ((), (index,)) for place in unknown_places):
            yield Resource(POOL, text_at(profile, "name"), {index: profile}, places, above, (index,), resource.name)


def _has_unknown(resource: TemplateResource) -> bool:
    return resource.copied or not resource.name or any(place[0] == "properties" for place in resource.unknown)


def _objects(resource: Resource) -> Iterator[AzureObject]:
    kind = resource.type.lower()
    if kind == CLUSTER:
        yield _cluster(resource)
    elif kind == POOL:
        _, named = cluster_of(lower_case_value(resource.body, "id"))
        owner = named or resource.parent
        for cluster in observed_resource(resource).clusters:
            for pool in cluster.objects:
                spec = {**pool.body["spec"], **({"owner": {"name": owner}} if owner else {})}
                status = {"status": {_IMAGE: pool.image}} if pool.image else {}
                yield AzureObject({**pool.body, "spec": spec, **status}, pool.places, resource.live)


def _cluster(resource: Resource) -> AzureObject:
    """A cluster, with its pools."""
    contract: Mapping[str, Any] = Schemas().contract(_CONTRACT) or {}
    renaming = Renaming(contract, str.lower, {})
    siblings = {key: resource.body[key] for key in ("identity", "location", "sku", "tags") if key in resource.body}
    inside = (*resource.above, *resource.inside)
    spec = renaming.value({**siblings, **properties_of(resource)}, contract["properties"]["spec"], inside, ("spec",))
    body = {
        "apiVersion": contract["properties"]["apiVersion"]["const"],
        "kind": MANAGED_CLUSTER.kind,
        "metadata": {"name": resource.name},
        "spec": spec,
    }
    pools = [pool for cluster in observed_resource(resource).clusters for pool in cluster.objects if pool.image]
    if pools:
        images = [{"name": pool.body["spec"]["azureName"], _IMAGE: pool.image} for pool in pools]
        body["status"] = {"agentPoolProfiles": images}
    return AzureObject(body, Moved(resource.places, {(): resource.above, **renaming.origins}), resource.live)

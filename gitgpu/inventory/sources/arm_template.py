"""ARM templates: written by hand, built by `az bicep build`, or exported by `az group export` and from deployments.

The format: learn.microsoft.com/azure/azure-resource-manager/templates/syntax. Values that are only known to a
deployment are omitted, and reported.
"""

from collections.abc import Iterator
from typing import Any

from gitgpu.access import text_at
from gitgpu.diagnostic import Diagnostic, Places, Severity
from gitgpu.inventory.arm.resources import TemplateResource, template_resources
from gitgpu.inventory.azure_resources import CLUSTER, POOL, SAFEGUARDS, Resource, observed_resource
from gitgpu.inventory.combined import together
from gitgpu.inventory.observed import Inventory, Skipped
from gitgpu.inventory.source import Source
from gitgpu.source import Pointer, Span, pointer_text

NAME = "arm-template"
_READ = (CLUSTER, POOL, SAFEGUARDS)
_OF_CLUSTER = {  # the properties of a cluster that are read
    "addonprofiles",
    "agentpoolprofiles",
    "aitoolchainoperatorprofile",
    "azuremonitorprofile",
    "kubernetesversion",
    "networkprofile",
    "nodeprovisioningprofile",
    "workloadautoscalerprofile",
}


def recognises(data: Any) -> bool:
    """Whether the document has the schema of a template, or the keys that every template has."""
    if not isinstance(data, dict) or "resources" not in data:
        return False
    schema = text_at(data, "$schema").lower()
    return "deploymenttemplate.json" in schema or "contentVersion" in data


def reads(data: Any, places: Places) -> Inventory:
    """The clusters and pools in a template."""
    return together(_resource(resource, places) for resource in template_resources(data))


def _resource(resource: TemplateResource, places: Places) -> Inventory:
    label = f"{resource.type} {resource.name or '(name unknown)'}"
    is_read = resource.type.lower() in _READ
    why = _why_skipped(resource) if is_read else ""
    if why:
        span = places.span(resource.pointer)
        unread = (_unread(label, why, span),) if resource.deployed else ()
        return Inventory((), (Skipped(label, span, why),), unread)
    source = azure_resource(resource, places, label)
    faults = tuple(_unknown(resource, label, places)) if is_read else ()
    return observed_resource(source)._replace(faults=faults)


def azure_resource(resource: TemplateResource, places: Places, label: str = "") -> Resource:
    """The resource, without the values that only a deployment knows."""
    return Resource(
        type=resource.type,
        name=resource.name,
        body=resource.body,
        places=places,
        above=resource.pointer,
        inside=("properties",),
        parent=resource.parent,
        label=label,
        source=NAME,
        whole=not resource.unknown,
    )


def _why_skipped(resource: TemplateResource) -> str:
    if not resource.deployed:
        return "its condition is false: it is not deployed"
    if resource.copied:
        return "a copy loop creates it, and the number is known only when it is deployed"
    return "" if resource.name else "its name is known only when it is deployed"


def _unread(label: str, why: str, span: Span) -> Diagnostic:
    """The fault that a cluster or a pool, which may have GPUs, is not read."""
    remedy = "pass the running state instead: the output of `az aks nodepool list -o json`"
    return Diagnostic("IMP007", Severity.WARNING, f"{label} was not read: {why}", remedy, span)


def _unknown(resource: TemplateResource, label: str, places: Places) -> Iterator[Diagnostic]:
    """The faults for values of a resource that import needs and that are only known to a deployment."""
    for pointer in resource.unknown:
        if _is_read(resource, pointer):
            message = f"{label}: {pointer_text(pointer)} is known only after deployment, and was skipped"
            remedy = "pass the running state instead: the output of `az aks show -o json`"
            span = places.span((*resource.pointer, *pointer))
            yield Diagnostic("IMP007", Severity.WARNING, message, remedy, span)


def _is_read(resource: TemplateResource, pointer: Pointer) -> bool:
    if resource.type.lower() in (POOL, SAFEGUARDS):
        return pointer[0] == "properties"
    inside = str(pointer[1]).lower() if len(pointer) > 1 else ""
    return pointer == ("location",) or (pointer[0] == "properties" and inside in _OF_CLUSTER)


SOURCE = Source(NAME, recognises, reads)

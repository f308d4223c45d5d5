"""Resource claims as rules read them: what pods claim, and the devices that a claim requests."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from gitgpu.access import mapping_at, reach, text_at
from gitgpu.model.names.groups import RESOURCE_GROUP
from gitgpu.model.names.kinds import COMPUTE_DOMAIN, RESOURCE_CLAIM, RESOURCE_CLAIM_TEMPLATE
from gitgpu.objects.objects import Item, Objects
from gitgpu.objects.workload.pods import Pod
from gitgpu.source import Pointer

# How a pod refers to a claim.
FORMS = {
    "resourceClaimTemplateName": RESOURCE_CLAIM_TEMPLATE.kind,
    "resourceClaimName": RESOURCE_CLAIM.kind,
}
_MOST = 32  # devices of a claim: AllocationResultsMaxSize of resource.k8s.io/v1
_SPECS: Mapping[str, Pointer] = {RESOURCE_CLAIM_TEMPLATE.kind: ("spec", "spec"), RESOURCE_CLAIM.kind: ("spec",)}


class Request(NamedTuple):
    """A request in a claim: the object, the place of its class, and the class; "" if it names none."""

    item: Item
    pointer: Pointer
    device_class: str


def claims(pod: Pod) -> list[tuple[Pointer, Mapping[str, Any]]]:
    """What the pods claim, each with its place."""
    written = pod.spec.get("resourceClaims") or ()
    return [((*pod.pointer, "resourceClaims", index), entry) for index, entry in enumerate(written) if entry]


def claim_names(pod: Pod) -> Iterator[tuple[Pointer, str]]:
    """The names that containers use for claims of their pod, each with its place."""
    for place, container in pod.containers():
        for index, claim in enumerate(reach(container, "resources", "claims") or ()):
            if claim:
                yield (*place, "resources", "claims", index, "name"), str(claim.get("name"))


def requests(item: Item) -> Iterator[Request]:
    """The requests of a claim or a template: of v1 and v1beta2 with their alternatives, and flat ones of v1beta1."""
    path = (*_SPECS[item.identity.kind], "devices", "requests")
    for index, row in enumerate(reach(item.body, *path) or ()):
        if not row:
            continue
        for form in _forms(row):
            device_class = reach(row, *form, "deviceClassName")
            yield Request(item, (*path, index, *form, "deviceClassName"), str(device_class or ""))


def _forms(row: Mapping[str, Any]) -> Iterator[Pointer]:
    """The places where a request can name its device class: in `exactly`, in each alternative, or directly."""
    if row.get("exactly"):
        yield ("exactly",)
    for index, alternative in enumerate(row.get("firstAvailable") or ()):
        if alternative:
            yield "firstAvailable", index
    if not (row.get("exactly") or row.get("firstAvailable")):
        yield ()


def template_of(name: str, namespace: str, objects: Objects) -> Item | None:
    """The claim template of a name in a namespace."""
    named = objects.by_name(*RESOURCE_CLAIM_TEMPLATE, name)
    return next((item for item in named if item.identity.namespace == namespace), None)


def most_devices(item: Item) -> dict[str, int]:
    """The most devices of each class that a claim, or one from a template, can get, as a ResourceQuota counts them.

    As Usage in pkg/quota/v1/evaluator/core/resource_claims.go of kubernetes/kubernetes at v1.36.2.
    """
    totals: dict[str, int] = {}
    for row in reach(item.body, *_SPECS[item.identity.kind], "devices", "requests") or ():
        most: dict[str, int] = {}
        for form in _forms(row) if row else ():
            request = mapping_at(row, *form)
            name, mode = text_at(request, "deviceClassName"), text_at(request, "allocationMode")
            count = request.get("count", 1) if mode in ("", "ExactCount") else _MOST if mode == "All" else 0
            if isinstance(count, int):
                most[name] = max(most.get(name, 0), count)
        for name, count in most.items():
            totals[name] = totals.get(name, 0) + count
    return totals


def existing_claims(objects: Objects) -> Iterator[tuple[str, str, str]]:
    """Kind, namespace and name of every claim and template in the input, or that a ComputeDomain creates."""
    yield from (
        (identity.kind, identity.namespace, identity.name)
        for identity in objects.present
        if identity.group == RESOURCE_GROUP
    )
    for item in objects.of(*COMPUTE_DOMAIN):
        name = reach(item.body, "spec", "channel", "resourceClaimTemplate", "name")
        yield RESOURCE_CLAIM_TEMPLATE.kind, item.identity.namespace, str(name)

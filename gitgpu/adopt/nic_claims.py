"""InfiniBand NICs that pods claim, in a cluster where AKS manages those of a node pool."""

from collections.abc import Iterator
from typing import NamedTuple

from gitgpu.access import list_at, mapping_at, text_at
from gitgpu.model.names.kinds import RESOURCE_CLAIM_TEMPLATE
from gitgpu.model.syntax.whole_number import whole_number
from gitgpu.objects.objects import Item, Objects
from gitgpu.objects.workload.pods import Pod
from gitgpu.objects.workload.resource_claims import claims


class NicClaim(NamedTuple):
    """A template of claims: the object, the class of the NICs and how many."""

    template: Item
    device_class: str
    number: int


def nic_templates(objects: Objects) -> Iterator[NicClaim]:
    """The templates with a single request for a number of devices that are not GPUs."""
    gpu_classes = set(objects.catalog.must("charts", "dra-driver-nvidia-gpu")["deviceClasses"].values())
    for item in objects.of(*RESOURCE_CLAIM_TEMPLATE):
        requests = list_at(item.body, "spec", "spec", "devices", "requests")
        exactly = mapping_at(requests[0], "exactly") if len(requests) == 1 else {}
        wanted = text_at(exactly, "deviceClassName")
        if wanted and wanted not in gpu_classes and not exactly.get("selectors"):
            yield NicClaim(item, wanted, whole_number(str(exactly.get("count", 1))) or 1)


def nic_claims(pod: Pod, objects: Objects) -> list[NicClaim]:
    """Those of them that the pod uses."""
    names = {entry.get("resourceClaimTemplateName") for _, entry in claims(pod)}
    space = pod.item.identity.namespace
    claims_here = (claim for claim in nic_templates(objects) if claim.template.identity.namespace == space)
    return [claim for claim in claims_here if claim.template.identity.name in names]

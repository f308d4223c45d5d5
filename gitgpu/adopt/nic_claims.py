"""InfiniBand NICs that pods claim, in a cluster where AKS manages those of a node pool."""

from collections.abc import Iterator
from typing import NamedTuple

from gitgpu.access import list_at, mapping_at, text_at
from gitgpu.model.names.kinds import RESOURCE_CLAIM_TEMPLATE
from gitgpu.model.syntax.whole_number import whole_number
from gitgpu.objects.node.agent_pools import agent_pools, has_managed_nics
from gitgpu.objects.objects import Item, Objects
from gitgpu.objects.workload.pods import Pod
from gitgpu.objects.workload.resource_claims import claims


class NicClaim(NamedTuple):
    """A claim of a pod: its template, the class of the NICs and how many."""

    template: Item
    device_class: str
    number: int


def nic_claims(pod: Pod, objects: Objects) -> Iterator[NicClaim]:
    """The claims with a single request for a number of devices that are not GPUs; none without managed NICs."""
    if not any(has_managed_nics(pool) for pool in agent_pools(objects)):
        return
    of_gpus = set(objects.catalog.must("charts", "dra-driver-nvidia-gpu")["deviceClasses"].values())
    for _, entry in claims(pod):
        for item in objects.named(*RESOURCE_CLAIM_TEMPLATE, str(entry.get("resourceClaimTemplateName") or "")):
            requests = list_at(item.body, "spec", "spec", "devices", "requests")
            if item.identity.namespace != pod.item.identity.namespace or len(requests) != 1:
                continue
            exactly = mapping_at(requests[0], "exactly")
            wanted = text_at(exactly, "deviceClassName")
            if wanted and wanted not in of_gpus and not exactly.get("selectors"):
                yield NicClaim(item, wanted, whole_number(str(exactly.get("count", 1))) or 1)

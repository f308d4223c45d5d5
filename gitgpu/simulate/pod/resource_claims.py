"""GPUs that pods claim with Dynamic Resource Allocation, counted like those that a device plugin allocates.

A claim from a template belongs to one pod, so it counts like a request. Whether the other conditions of a claim are met
depends on what the drivers on the nodes report, and is not in any file.
"""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any, NamedTuple

from gitgpu.access import reach
from gitgpu.model.names.kinds import RESOURCE_CLAIM_TEMPLATE
from gitgpu.model.names.resources import NVIDIA_GPU
from gitgpu.objects.node.agent_pools import agent_pools
from gitgpu.objects.objects import Objects
from gitgpu.objects.software.daemons import daemons
from gitgpu.objects.workload.pods import Pod
from gitgpu.objects.workload.resource_claims import claims, existing_claims, template_of

_DRIVER = ("charts", "dra-driver-nvidia-gpu")
_REQUESTS = ("spec", "spec", "devices", "requests")


class ClaimedDevices(NamedTuple):
    """How many GPUs the claims of a pod request, and why some of them cannot be counted."""

    gpus: int
    uncounted: tuple[str, ...]

    @property
    def amounts(self) -> dict[str, Decimal]:
        """The GPUs by the name of the resource."""
        return {NVIDIA_GPU: Decimal(self.gpus)} if self.gpus else {}


def claimed_devices(pod: Pod, objects: Objects) -> ClaimedDevices:
    """What the pod claims."""
    parts = list(_parts(pod, objects))
    gpus = sum(part for part in parts if isinstance(part, int))
    uncounted_parts = [part for part in parts if isinstance(part, str)]
    if gpus and not is_served(objects):
        uncounted_parts.append("the input contains no DRA driver for GPUs")
    return ClaimedDevices(gpus, tuple(dict.fromkeys(uncounted_parts)))


def is_served(objects: Objects) -> bool:
    """Whether a DRA driver for GPUs is in the input, or AKS installs one on a node pool."""
    by_aks = (reach(pool.spec, "gpuProfile", "nvidia", "driverMode") == "DRA" for pool in agent_pools(objects))
    return any(True for _ in daemons(objects, "dra-gpus")) or any(by_aks)


def _parts(pod: Pod, objects: Objects) -> Iterator[int | str]:
    """For each request, its number of GPUs, or the reason why that is unknown."""
    space = pod.item.identity.namespace
    for _, entry in claims(pod):
        name = entry.get("resourceClaimTemplateName")
        if not name:
            yield f"the claim {entry.get('resourceClaimName')} can be shared with other pods"
        elif template := template_of(str(name), space, objects):
            classes = objects.catalog.must(*_DRIVER)["deviceClasses"]
            yield from (_count(request, classes) for request in reach(template.body, *_REQUESTS) or () if request)
        # The templates that a ComputeDomain creates exist too: they are for channels, not for GPUs.
        elif (RESOURCE_CLAIM_TEMPLATE.kind, space, name) not in existing_claims(objects):
            yield f"the input does not contain the claim template {name}"


def _count(request: Mapping[str, Any], classes: Mapping[str, str]) -> int | str:
    # resource.k8s.io/v1 nests the request in `exactly`; v1beta1 has the same fields one level higher.
    body = request.get("exactly") or request
    wanted = body.get("deviceClassName")
    if wanted in (classes["computeDomainChannel"], classes["computeDomainDaemon"]):
        return 0
    plain = body.get("allocationMode") in (None, "ExactCount") and not body.get("selectors")
    if wanted == classes["gpus"] and plain and "firstAvailable" not in request:
        return int(body.get("count") or 1)
    return f"devices claimed from {wanted or 'several classes'} are not counted"

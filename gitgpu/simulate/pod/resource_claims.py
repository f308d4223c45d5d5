"""GPUs that pods claim by Dynamic Resource Allocation, counted like those that a device plugin hands out.

A claim made from a template is a pod's own, so it adds up like a request. What a claim says beyond a number of GPUs,
the scheduler asks the drivers on the nodes, and no file can say.
"""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any, NamedTuple

from gitgpu.conform.objects import Item, Objects, reach
from gitgpu.conform.software.daemons import daemons
from gitgpu.conform.workload.pods import Pod
from gitgpu.conform.workload.resource_claims import TEMPLATE, claims, existing_claims

_DRIVER = ("charts", "dra-driver-nvidia-gpu")
_GPU = "nvidia.com/gpu"
_REQUESTS = ("spec", "spec", "devices", "requests")


class ClaimedDevices(NamedTuple):
    """How many GPUs the claims of a pod come to, and what of them cannot be counted."""

    gpus: int
    open: tuple[str, ...]

    @property
    def amounts(self) -> dict[str, Decimal]:
        """The GPUs by the name of the resource."""
        return {_GPU: Decimal(self.gpus)} if self.gpus else {}


def claimed_devices(pod: Pod, objects: Objects) -> ClaimedDevices:
    """What the pod claims."""
    parts = list(_parts(pod, objects))
    gpus = sum(part for part in parts if isinstance(part, int))
    untold = [part for part in parts if isinstance(part, str)]
    if gpus and not any(True for _ in daemons(objects, "dra-gpus")):
        untold.append("no DRA driver for GPUs is among the objects")
    return ClaimedDevices(gpus, tuple(dict.fromkeys(untold)))


def _parts(pod: Pod, objects: Objects) -> Iterator[int | str]:
    """For each request the number of GPUs, or why it has none that is known."""
    space = pod.item.identity.namespace
    for _, entry in claims(pod):
        name = entry.get("resourceClaimTemplateName")
        if not name:
            yield f"the claim {entry.get('resourceClaimName')} can be shared with other pods"
        elif template := _template(str(name), space, objects):
            classes = objects.catalog.must(*_DRIVER)["deviceClasses"]
            yield from (_count(each, classes) for each in reach(template.body, *_REQUESTS) or () if each)
        elif (TEMPLATE, space, name) not in existing_claims(
            objects
        ):  # what a ComputeDomain makes is a channel, and no GPU
            yield f"the claim template {name} is not among the objects"


def _template(name: str, space: str, objects: Objects) -> Item | None:
    same = (item for item in objects.of("resource.k8s.io", TEMPLATE) if item.identity.name == name)
    return next((item for item in same if item.identity.namespace == space), None)


def _count(request: Mapping[str, Any], classes: Mapping[str, str]) -> int | str:
    # resource.k8s.io/v1 nests the request in `exactly`; v1beta1 has the same fields one level higher.
    asked = request.get("exactly") or request
    wanted = asked.get("deviceClassName")
    if wanted in (classes["computeDomainChannel"], classes["computeDomainDaemon"]):
        return 0
    plain = asked.get("allocationMode") in (None, "ExactCount") and not asked.get("selectors")
    if wanted == classes["gpus"] and plain and "firstAvailable" not in request:
        return int(asked.get("count") or 1)
    return f"devices of a claim of {wanted or 'several classes'} are not counted"

"""Which container of a workload requests GPUs, and how many: the target of a GpuWorkload."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

from gitgpu.access import mapping_at, reach
from gitgpu.adopt.nic_claims import NicClaim, nic_claims
from gitgpu.model.names.kinds import RESOURCE_CLAIM_TEMPLATE
from gitgpu.model.names.prefixes import MIG_PREFIX
from gitgpu.model.names.resources import DIRECTX
from gitgpu.model.syntax.whole_number import whole_number
from gitgpu.objects.node.agent_pools import agent_pools, has_managed_nics
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.devices import device_row
from gitgpu.objects.workload.known_kinds import SHAPES, shape_of
from gitgpu.objects.workload.pods import Pod
from gitgpu.objects.workload.shaped_pods import container_name, group_of
from gitgpu.plan.rdma import NICS
from gitgpu.source import Pointer

_REQUESTED = ("limits", "requests")
# NVIDIA's own images, such as docker.io/nvidia/cuda:12.4.1-base-ubuntu22.04, have the CUDA version as their tag.
_IMAGE = re.compile(r"(?:.*/)?nvidia/cuda:(\d+\.\d+)(?:[.-].*)?")
# A condition of NVIDIA_REQUIRE_CUDA, such as cuda>=12.4.
_REQUIRED = re.compile(r"cuda\s*>=\s*(\d+\.\d+)")
_VARIABLES = {"CUDA_VERSION": re.compile(r"(\d+\.\d+)(?:\..*)?"), "NVIDIA_REQUIRE_CUDA": _REQUIRED}


class Asking(NamedTuple):
    """A container that requests GPUs: its place, its name, and the resource and amount."""

    place: Pointer
    name: str
    resource: str
    amount: int
    body: Mapping[str, Any]


class Target(NamedTuple):
    """The spec of a GpuWorkload for some pods, without `pools`; `reason` says why there is none."""

    spec: Mapping[str, Any]
    cuda_at: Pointer = ()
    reason: str = ""


def asks_for_gpus(pod: Pod, objects: Objects) -> bool:
    """Whether a container requests a GPU or a part of one, or the pod has a claim."""
    return any(True for _ in _asking(pod, objects)) or bool(pod.spec.get("resourceClaims"))


def target(pod: Pod, objects: Objects) -> Target:
    """The spec for the pods of an object that a GpuWorkload can target."""
    containers = list(_asking(pod, objects))
    if not containers and pod.spec.get("resourceClaims"):
        return _claiming(pod, objects)
    if len(containers) != 1:
        names = " and ".join(asking.name for asking in containers)
        return Target({}, reason=f"its containers {names} request GPUs; a GpuWorkload has one that does")
    [asking] = containers
    if asking.place[-2] != "containers":
        return Target({}, reason=f"the container {asking.name}, which requests GPUs, is an init container")
    if asking.resource.endswith(".shared"):
        reason = f"it requests {asking.resource}, but gitgpu configures nodes to advertise GPU shares as nvidia.com/gpu"
        return Target({}, reason=reason)
    return _spec(pod, asking, objects)


def _spec(pod: Pod, asking: Asking, objects: Objects) -> Target:
    """The spec for pods that have one container with GPU requests."""
    spec = _named(pod, asking.name)
    if asking.amount != 1:
        spec["gpus"] = asking.amount
    if asking.resource.startswith(MIG_PREFIX):
        spec["mig"] = _profile(asking.resource, objects)
    nics = next((key for key in NICS.values() if _amount(asking.body, key)), "")
    if nics:
        spec["rdma"] = _amount(asking.body, nics)
    elif claimed := _managed_nics(pod, objects):
        spec["rdma"] = claimed[0].number
    cuda, place = _cuda(asking)
    if cuda:
        spec["cuda"] = cuda
    return Target(spec, place)


def _named(pod: Pod, container: str) -> dict[str, Any]:
    identity = pod.item.identity
    named = {"kind": identity.kind, "name": identity.name}
    shape, group = shape_of(identity[:2], str(pod.item.body.get("apiVersion"))), group_of(pod)
    if shape and shape != SHAPES.get(identity.kind):
        named = {"apiVersion": shape.api_version, **named}
    default = shape.groups.default if shape and shape.groups else ""
    if group and group != default:
        named["group"] = group
    written = container_name(pod, container)
    has_containers = not (shape and shape.written and shape.pods_at is None)
    if has_containers and written != ((shape.container if shape else "") or identity.name):
        named["container"] = written
    return {"target": named}


def _claiming(pod: Pod, objects: Objects) -> Target:
    """The spec for pods with a claim: one template with one request for GPUs, which one container uses."""
    nics = {claim.template.identity.name: claim.number for claim in _managed_nics(pod, objects)}
    claims = [mapping_at(claim) for claim in pod.spec["resourceClaims"]]
    claims = [claim for claim in claims if claim.get("resourceClaimTemplateName") not in nics]
    templates = [str(claim.get("resourceClaimTemplateName") or "") for claim in claims]
    users = [name for name, body in _containers(pod) if reach(body, "resources", "claims")]
    counts = list(filter(None, (_claimed(name, pod, objects) for name in templates)))
    if len(claims) != 1 or len(users) != 1 or len(counts) != 1:
        return Target({}, reason="a GpuWorkload supports one claim for a number of GPUs, in one container")
    spec = _named(pod, users[0])
    if counts[0] != 1:
        spec["gpus"] = counts[0]
    if nics:
        spec["rdma"] = next(iter(nics.values()))
    return Target(spec)


def _managed_nics(pod: Pod, objects: Objects) -> list[NicClaim]:
    """The pod's claims for NICs; none if AKS manages those of no node pool."""
    managed = any(has_managed_nics(pool) for pool in agent_pools(objects))
    return nic_claims(pod, objects) if managed else []


def _claimed(template: str, pod: Pod, objects: Objects) -> int:
    for item in objects.by_name(*RESOURCE_CLAIM_TEMPLATE, template):
        requests: Sequence[Any] = reach(item.body, "spec", "spec", "devices", "requests") or ()
        if item.identity.namespace == pod.item.identity.namespace and len(requests) == 1:
            # Before v1beta2, a request had these fields itself.
            exactly = mapping_at(requests[0], "exactly") or requests[0]
            return int(exactly.get("count") or 1)
    return 0


def _asking(pod: Pod, objects: Objects) -> Iterator[Asking]:
    for place, container in pod.containers():
        for resource in _devices(container):
            row = device_row(resource, objects)
            count = _amount(container, resource)
            if row and count and (row["manufacturer"] or resource == DIRECTX):
                yield Asking(place, str(container.get("name")), resource, count, container)


def _devices(container: Mapping[str, Any]) -> list[str]:
    resources: dict[str, None] = {}
    for kind in _REQUESTED:
        resources |= dict.fromkeys(reach(container, "resources", kind) or ())
    return [*resources]


def _amount(container: Mapping[str, Any], resource: str) -> int:
    written = (str((reach(container, "resources", kind) or {}).get(resource, "")) for kind in _REQUESTED)
    numbers = map(whole_number, written)
    return next((number for number in numbers if number is not None), 0)


def _containers(pod: Pod) -> Iterator[tuple[str, Mapping[str, Any]]]:
    return ((str(container.get("name")), container) for _, container in pod.containers())


def _profile(resource: str, objects: Objects) -> str:
    """The profile as the spec spells it: a resource has a dot where the profile has a plus sign."""
    named = resource.removeprefix(MIG_PREFIX)
    profiles = chain.from_iterable(gpu.mig or () for gpu in objects.catalog.gpus)
    by_resource = {name.replace("+", "."): name for name in profiles}
    return by_resource.get(named, named)


def _cuda(asking: Asking) -> tuple[str, Pointer]:
    """The CUDA version in the name of the image or in a variable of the container, and its place."""
    match = _IMAGE.fullmatch(str(asking.body.get("image") or "").partition("@")[0])
    if match:
        return match[1], (*asking.place, "image")
    entries: Sequence[Any] = asking.body.get("env") or ()
    for index, entry in enumerate(entries):
        pattern = _VARIABLES.get(str(reach(entry, "name")))
        match = pattern.match(str(entry.get("value") or "")) if pattern else None
        if match:
            return match[1], (*asking.place, "env", index, "value")
    return "", ()

"""ResourceQuotas, and what the workloads of their namespace request at maximum replicas: Kubernetes refuses more.

They limit extended resources, and devices of a DeviceClass, which claims count.
"""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from itertools import chain
from typing import NamedTuple

from gitgpu.access import mapping_at
from gitgpu.model.names.kinds import RESOURCE_CLAIM, RESOURCE_CLAIM_TEMPLATE, RESOURCE_QUOTA
from gitgpu.model.syntax.quantity import quantity
from gitgpu.objects.objects import Identity, Item, Objects
from gitgpu.objects.workload.pods import Pod, pods
from gitgpu.objects.workload.resource_claims import claims, existing_claims, most_devices, template_of
from gitgpu.simulate.autoscaled import count_pods
from gitgpu.spelling import join_names

_DEVICES = ".deviceclass.resource.k8s.io/devices"  # behind the name of a DeviceClass
_CLAIMS = "count/resourceclaims.resource.k8s.io"
_REQUESTS = "requests."  # of the names of extended resources; those of others also count pods without a request


class Use(NamedTuple):
    """The pods of a workload, how much each requests, and how many there are."""

    workload: str
    size: int
    pods: int


class Limited(NamedTuple):
    """An extended resource or a DeviceClass that a quota limits, and what requests it in its namespace.

    It is not `known` if the template of a claim is not in the input.
    """

    item: Item
    resource: str
    allowed: int
    uses: tuple[Use, ...]
    known: bool = True

    @property
    def demand(self) -> int:
        """What the pods request together."""
        return sum(use.size * use.pods for use in self.uses)

    @property
    def is_exceeded(self) -> bool:
        """Whether they request more than the quota allows."""
        return self.demand > self.allowed


class Exceeded(NamedTuple):
    """A quota, a resource, and what is requested of it in its namespace."""

    name: str
    resource: str
    requested: int
    allowed: int


def limited_resources(objects: Objects) -> tuple[Limited, ...]:
    """What each quota limits. Quotas with scopes are omitted."""
    return objects.once("limited resources", lambda: tuple(_limited(objects)))


def exceeded_quotas(objects: Objects) -> Iterator[tuple[Exceeded, tuple[str, ...]]]:
    """Each exceeded quota of an extended resource, and the workloads that request it."""
    for limited in limited_resources(objects):
        if limited.is_exceeded:
            identity = limited.item.identity
            name = f"{RESOURCE_QUOTA.kind}/{identity.namespace}/{identity.name}"
            names = dict.fromkeys(use.workload for use in limited.uses)
            yield Exceeded(name, limited.resource, limited.demand, limited.allowed), tuple(names)


def excess_of(quota: Item, objects: Objects) -> str:
    """What is requested beyond a quota, as a clause; "" if nothing is."""
    return _excesses(objects).get(quota.identity, "")


def _excesses(objects: Objects) -> Mapping[Identity, str]:
    return objects.once("excesses", lambda: {each.item.identity: _excess(each) for each in _exceeded(objects)})


def _exceeded(objects: Objects) -> Iterator[Limited]:
    return (limited for limited in limited_resources(objects) if limited.is_exceeded)


def _excess(limited: Limited) -> str:
    names = tuple(dict.fromkeys(use.workload for use in limited.uses))
    verb = "requests" if len(names) == 1 else "request"
    return f"allows {limited.allowed} {limited.resource}, and {join_names(names)} {verb} {limited.demand}"


def amount_of(pod: Pod, resource: str, objects: Objects) -> int:
    """How much a pod requests of an extended resource, or claims of a DeviceClass."""
    if "/" in resource:
        return int(pod.requests().get(resource, 0))
    return sum(most_devices(template).get(resource, 0) for template in _templates(pod, objects) if template)


def counts_claims(key: str) -> bool:
    """Whether a key of a quota counts claims, or the devices in them."""
    return key.endswith(_DEVICES) or key == _CLAIMS


def limited_name(key: str) -> str:
    """The extended resource, or the DeviceClass, that a key of a quota limits; "" for other keys."""
    device_class = key.removesuffix(_DEVICES)
    if device_class != key:
        return device_class
    resource = key.removeprefix(_REQUESTS)
    return resource if resource != key and "/" in resource else ""


def _templates(pod: Pod, objects: Objects) -> list[Item | None]:
    """The templates of the claims of a pod, without those of ComputeDomains; None for one that is not in the input."""
    namespace = pod.item.identity.namespace
    names = [str(name) for _, entry in claims(pod) if (name := entry.get("resourceClaimTemplateName"))]
    found = {name: template_of(name, namespace, objects) for name in names}
    made = set(existing_claims(objects)) if None in found.values() else set()
    return [found[name] for name in names if found[name] or (RESOURCE_CLAIM_TEMPLATE.kind, namespace, name) not in made]


def _limited(objects: Objects) -> Iterator[Limited]:
    for item in objects.of(*RESOURCE_QUOTA):
        spec = mapping_at(item.body, "spec")
        for key, written in mapping_at(spec, "hard").items() if not spec.keys() & {"scopes", "scopeSelector"} else ():
            resource, allowed = limited_name(key), _amount(written)
            if resource and allowed is not None:
                namespace = item.identity.namespace
                uses = tuple(_uses(namespace, resource, objects))
                known = "/" in resource or None not in chain.from_iterable(
                    _templates(pod, objects) for pod in pods(objects) if pod.item.identity.namespace == namespace
                )
                yield Limited(item, resource, int(allowed), uses, known)


def _uses(namespace: str, resource: str, objects: Objects) -> Iterator[Use]:
    for pod in pods(objects):
        amount = amount_of(pod, resource, objects) if pod.item.identity.namespace == namespace else 0
        if amount:
            yield Use(_title(pod.item), amount, count_pods(pod, objects)[1])
    for claim in objects.of(*RESOURCE_CLAIM) if "/" not in resource else ():
        amount = most_devices(claim).get(resource, 0) if claim.identity.namespace == namespace else 0
        if amount:
            yield Use(_title(claim), amount, 1)


def _title(item: Item) -> str:
    return f"{item.identity.kind} {item.identity.name}"


def _amount(written: object) -> Decimal | None:
    try:
        return quantity(written)
    except ValueError:
        return None

"""ResourceQuotas, and what the workloads of their namespace request at maximum replicas: Kubernetes refuses more."""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import NamedTuple

from gitgpu.access import mapping_at
from gitgpu.model.names.kinds import RESOURCE_QUOTA
from gitgpu.model.syntax.quantity import quantity
from gitgpu.objects.objects import Identity, Item, Objects
from gitgpu.objects.workload.pods import pods
from gitgpu.simulate.autoscaled import count_pods
from gitgpu.spelling import join_names

_REQUESTS = "requests."  # of the names of extended resources; those of others also count pods without a request


class Use(NamedTuple):
    """The pods of a workload, how much each requests, and how many there are."""

    workload: str
    size: int
    pods: int


class Limited(NamedTuple):
    """An extended resource that a quota limits, and the pods of its namespace that request it."""

    item: Item
    resource: str
    allowed: int
    uses: tuple[Use, ...]

    @property
    def demand(self) -> int:
        """What the pods request together."""
        return sum(use.size * use.pods for use in self.uses)

    @property
    def is_exceeded(self) -> bool:
        """Whether they request more than the quota allows."""
        return self.demand > self.allowed


class Exceeded(NamedTuple):
    """A quota, a resource, and what the pods of its namespace request of it together."""

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


def _limited(objects: Objects) -> Iterator[Limited]:
    for item in objects.of(*RESOURCE_QUOTA):
        spec = mapping_at(item.body, "spec")
        for key, written in mapping_at(spec, "hard").items() if not spec.keys() & {"scopes", "scopeSelector"} else ():
            resource = key.removeprefix(_REQUESTS)
            allowed = _amount(written)
            if resource != key and "/" in resource and allowed is not None:
                uses = tuple(_uses(item.identity.namespace, resource, objects))
                yield Limited(item, resource, int(allowed), uses)


def _uses(space: str, resource: str, objects: Objects) -> Iterator[Use]:
    for pod in pods(objects):
        amount = pod.requests().get(resource, Decimal(0)) if pod.item.identity.namespace == space else Decimal(0)
        if amount:
            name = f"{pod.item.identity.kind} {pod.item.identity.name}"
            yield Use(name, int(amount), count_pods(pod, objects)[1])


def _amount(written: object) -> Decimal | None:
    try:
        return quantity(written)
    except ValueError:
        return None

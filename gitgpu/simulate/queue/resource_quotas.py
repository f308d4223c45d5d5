"""ResourceQuotas that the workloads of their namespace exceed at maximum replicas: Kubernetes refuses the last pods."""

from collections.abc import Iterator
from decimal import Decimal
from typing import NamedTuple

from gitgpu.access import mapping_at
from gitgpu.model.names.kinds import RESOURCE_QUOTA
from gitgpu.model.syntax.quantity import quantity
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.pods import pods
from gitgpu.simulate.autoscaled import count_pods

_REQUESTS = "requests."  # of the names of extended resources; those of others also count pods without a request


class Exceeded(NamedTuple):
    """A quota, a resource, and what the pods of its namespace request of it together."""

    name: str
    resource: str
    requested: int
    allowed: int


def exceeded_quotas(objects: Objects) -> Iterator[tuple[Exceeded, tuple[str, ...]]]:
    """Each exceeded quota of an extended resource, and the workloads that request it. Those with scopes are omitted."""
    for item in objects.of(*RESOURCE_QUOTA):
        space, spec = item.identity.namespace, mapping_at(item.body, "spec")
        for key, written in mapping_at(spec, "hard").items() if not spec.keys() & {"scopes", "scopeSelector"} else ():
            resource = key.removeprefix(_REQUESTS)
            if resource == key or "/" not in resource:
                continue
            uses = dict(_uses(space, resource, objects))
            requested, allowed = sum(uses.values(), Decimal(0)), _amount(written)
            if allowed is not None and requested > allowed:
                name = f"{RESOURCE_QUOTA.kind}/{space}/{item.identity.name}"
                yield Exceeded(name, resource, int(requested), int(allowed)), tuple(uses)


def _uses(space: str, resource: str, objects: Objects) -> Iterator[tuple[str, Decimal]]:
    found: dict[str, Decimal] = {}
    for pod in pods(objects):
        amount = pod.requests().get(resource, Decimal(0)) if pod.item.identity.namespace == space else Decimal(0)
        if amount:
            name = f"{pod.item.identity.kind} {pod.item.identity.name}"
            found[name] = found.get(name, Decimal(0)) + amount * count_pods(pod, objects)[1]
    return iter(found.items())


def _amount(written: object) -> Decimal | None:
    try:
        return quantity(written)
    except ValueError:
        return None

"""Quotas of ClusterQueues and Cohorts of Kueue, with their places.

Objects of v1beta1 have no contract, so values of any shape are read. In v1beta1, a ClusterQueue names its
cohort in `cohort` and a Cohort its parent in `parent`: apis/kueue of kubernetes-sigs/kueue at 8eab68778fc1.
"""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any, NamedTuple

from gitgpu.access import list_at, mapping_at, reach, text_at
from gitgpu.model.names.kinds import CLUSTER_QUEUE, COHORT
from gitgpu.model.syntax.quantity import quantity
from gitgpu.objects.objects import Item, Objects
from gitgpu.source import Pointer

_GROUPS: Pointer = ("spec", "resourceGroups")
_PARENT = {CLUSTER_QUEUE.kind: ("cohortName", "cohort"), COHORT.kind: ("parentName", "parent")}


class Quota(NamedTuple):
    """How much of a resource of a flavor a queue owns, may borrow at most and lends at most; None is unlimited."""

    pointer: Pointer
    resource: str
    nominal: Decimal
    borrowing: Decimal | None
    lending: Decimal | None


class FlavorQuotas(NamedTuple):
    """The quotas of one flavor, and its place."""

    pointer: Pointer
    name: str
    quotas: tuple[Quota, ...]


class ResourceGroup(NamedTuple):
    """Resources that a workload gets from one flavor of the group."""

    pointer: Pointer
    covered: tuple[str, ...]
    flavors: tuple[FlavorQuotas, ...]


class QuotaOwner(NamedTuple):
    """A ClusterQueue or a Cohort: the name of its cohort or of its parent with the place, and its quotas."""

    item: Item
    parent: str
    parent_at: Pointer
    groups: tuple[ResourceGroup, ...]

    @property
    def name(self) -> str:
        """The name of the object."""
        return self.item.identity.name

    @property
    def flavors(self) -> Iterator[FlavorQuotas]:
        """The flavors of all groups."""
        return (flavor for group in self.groups for flavor in group.flavors)

    def group_of(self, resource: str) -> ResourceGroup | None:
        """The group that covers a resource."""
        return next((group for group in self.groups if resource in group.covered), None)


def cluster_queues(objects: Objects) -> Mapping[str, QuotaOwner]:
    """Every ClusterQueue by its name, in the order of the input."""
    return objects.once("cluster queues", lambda: _owners(objects.of(*CLUSTER_QUEUE)))


def cohorts(objects: Objects) -> Mapping[str, QuotaOwner]:
    """Every Cohort object by its name, in the order of the input. A cohort needs no object."""
    return objects.once("cohorts", lambda: _owners(objects.of(*COHORT)))


def _owners(items: Iterator[Item]) -> dict[str, QuotaOwner]:
    owners: dict[str, QuotaOwner] = {}
    for item in items:
        owners.setdefault(item.identity.name, _owner(item))
    return owners


def _owner(item: Item) -> QuotaOwner:
    newer, older = _PARENT[item.identity.kind]
    key = newer if text_at(item.body, "spec", newer) else older
    parent = text_at(item.body, "spec", key)
    groups = tuple(
        _group((*_GROUPS, index), mapping_at(written)) for index, written in enumerate(list_at(item.body, *_GROUPS))
    )
    return QuotaOwner(item, parent, ("spec", key), groups)


def _group(pointer: Pointer, written: Mapping[str, Any]) -> ResourceGroup:
    flavors = tuple(
        _flavor((*pointer, "flavors", index), mapping_at(flavor))
        for index, flavor in enumerate(list_at(written, "flavors"))
    )
    return ResourceGroup(pointer, tuple(map(str, list_at(written, "coveredResources"))), flavors)


def _flavor(pointer: Pointer, written: Mapping[str, Any]) -> FlavorQuotas:
    quotas = tuple(
        _quota((*pointer, "resources", index), mapping_at(resource))
        for index, resource in enumerate(list_at(written, "resources"))
    )
    return FlavorQuotas(pointer, text_at(written, "name"), quotas)


def _quota(pointer: Pointer, written: Mapping[str, Any]) -> Quota:
    borrowing, lending = (_amount(reach(written, key)) for key in ("borrowingLimit", "lendingLimit"))
    nominal = _amount(reach(written, "nominalQuota")) or Decimal(0)
    return Quota(pointer, text_at(written, "name"), nominal, borrowing, lending)


def _amount(written: Any) -> Decimal | None:
    """A quantity; None if there is none, or it cannot be read, which the contract of the kind reports."""
    if written is None:
        return None
    try:
        return quantity(written)
    except (TypeError, ValueError):
        return None

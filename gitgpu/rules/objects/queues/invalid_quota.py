"""Quotas that Kueue's webhook refuses."""

from collections.abc import Iterator
from decimal import Decimal

from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import CLUSTER_QUEUE
from gitgpu.objects.objects import Objects
from gitgpu.objects.queues.quotas import FlavorQuotas, Quota, QuotaOwner, ResourceGroup, cluster_queues, cohorts
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for owner in (*cluster_queues(objects).values(), *cohorts(objects).values()):
        yield from _repeated(owner)
        for group in owner.groups:
            for flavor in group.flavors:
                yield from _resources(owner, group, flavor)
        for flavor in owner.flavors:
            for quota in flavor.quotas:
                yield from _amounts(owner, quota)


def _repeated(owner: QuotaOwner) -> Iterator[Finding]:
    """Resources and flavors in several groups."""
    resources, names = set(), set()
    for group in owner.groups:
        for index, resource in enumerate(group.covered):
            if resource in resources:
                message = f"{resource} is covered twice: each resource can be in one group only"
                yield Finding(owner.item, (*group.pointer, "coveredResources", index), message, "remove one of them")
            resources.add(resource)
        for flavor in group.flavors:
            if flavor.name in names:
                message = f"flavor '{flavor.name}' is in this list twice, or in two groups"
                remedy = "list the flavor once, with all its resources in one group"
                yield Finding(owner.item, (*flavor.pointer, "name"), message, remedy)
            names.add(flavor.name)


def _resources(owner: QuotaOwner, group: ResourceGroup, flavor: FlavorQuotas) -> Iterator[Finding]:
    """The resources of a flavor must be the covered resources, in their order."""
    named = tuple(quota.resource for quota in flavor.quotas)
    missing_resources = [resource for resource in group.covered if resource not in named]
    expected = ", ".join(group.covered)
    if named == group.covered:
        return
    if missing_resources:
        message = f"flavor '{flavor.name}' has no quota for {missing_resources[0]}, which coveredResources lists"
        yield Finding(
            owner.item, (*flavor.pointer, "resources"), message, f"add {missing_resources[0]} with its nominalQuota"
        )
    elif len(named) > len(group.covered):
        extra = next((quota for quota in flavor.quotas if quota.resource not in group.covered), flavor.quotas[-1])
        message = f"coveredResources does not list {extra.resource}"
        yield Finding(owner.item, (*extra.pointer, "name"), message, "add it to coveredResources, or remove it here")
    else:
        wrong = next(index for index, name in enumerate(named) if name != group.covered[index])
        message = f"{named[wrong]} is out of order: coveredResources lists {expected}"
        place = (*flavor.quotas[wrong].pointer, "name")
        yield Finding(owner.item, place, message, f"write the resources of each flavor in this order: {expected}")


def _amounts(owner: QuotaOwner, quota: Quota) -> Iterator[Finding]:
    is_queue = owner.item.identity[:2] == CLUSTER_QUEUE
    limits = {"borrowingLimit": quota.borrowing, "lendingLimit": quota.lending}
    for key, amount in {"nominalQuota": quota.nominal, **limits}.items():
        place = (*quota.pointer, key)
        if amount is None:
            continue
        if amount < Decimal(0):
            yield Finding(owner.item, place, f"{key} is negative", "use 0 or more")
        elif key in limits and not owner.parent:
            group = "cohortName" if is_queue else "parentName"
            message = f"{key} needs a {group}: a queue borrows from a cohort, and lends to it"
            yield Finding(owner.item, place, message, f"set {group}, or remove {key}")
        elif key == "lendingLimit" and is_queue and amount > quota.nominal:
            message = f"lendingLimit {amount:f} is above nominalQuota {quota.nominal:f}"
            yield Finding(owner.item, place, message, f"use at most {quota.nominal:f}, or raise nominalQuota")


RULE = Rule(
    code="QUE018",
    name="invalid-quota",
    severity=Severity.ERROR,
    rejects=True,
    summary="Quotas of a ClusterQueue or Cohort contradict each other.",
    help="Kueue's admission webhook rejects resources that are not those of coveredResources in the same order, "
    "resources and flavors in several groups, negative quotas, limits without a cohort, and a ClusterQueue "
    "that lends more than it has.",
    sources=(
        "https://github.com/kubernetes-sigs/kueue/blob/8eab68778fc1/pkg/webhooks/clusterqueue_webhook.go",
        "https://github.com/kubernetes-sigs/kueue/blob/8eab68778fc1/pkg/webhooks/cohort_webhook.go",
    ),
    check=_check,
)

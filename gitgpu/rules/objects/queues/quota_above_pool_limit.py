"""Quotas of a flavor that are more than the limits of its NodePool."""

from collections.abc import Iterator
from decimal import Decimal

from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import CLUSTER_QUEUE, COHORT, NODE_POOL, RESOURCE_FLAVOR
from gitgpu.model.names.labels import NODEPOOL_LABEL
from gitgpu.model.syntax.quantity import FORM, quantity
from gitgpu.objects.node.node_pools import node_pools
from gitgpu.objects.objects import Objects
from gitgpu.objects.queues.flavors import flavors
from gitgpu.objects.queues.quotas import Quota, QuotaOwner, cluster_queues, cohorts
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    if any(objects.patched_names(*kind) for kind in (CLUSTER_QUEUE, COHORT)):
        return
    by_flavor = _by_flavor(objects)
    if not by_flavor or any(objects.patched_names(*kind) for kind in (NODE_POOL, RESOURCE_FLAVOR)):
        return
    limits = {pool.name: pool.limits for pool in node_pools(objects)}
    for (name, resource), quotas in by_flavor.items():
        pool = flavors(objects)[name].labels.get(NODEPOOL_LABEL, "") if name in flavors(objects) else ""
        written = str(limits.get(pool, {}).get(resource, ""))
        total = sum((quota.nominal for _, quota in quotas), Decimal(0))
        if FORM.match(written) and total > quantity(written):
            owner, quota = quotas[-1]
            have, together = ("quotas are", " together") if len(quotas) > 1 else ("quota is", "")
            most = f"flavor {name} has the nodes of NodePool {pool}, which has at most {written} {resource}"
            message = f"{most}, but its {have} {total:f}"
            remedy = f"lower nominalQuota to {written}{together}, or raise limits of the NodePool"
            yield Finding(owner.item, (*quota.pointer, "nominalQuota"), message, remedy)


def _by_flavor(objects: Objects) -> dict[tuple[str, str], list[tuple[QuotaOwner, Quota]]]:
    """The quotas that are not 0 of each flavor and resource, in the order of the input."""
    found: dict[tuple[str, str], list[tuple[QuotaOwner, Quota]]] = {}
    for owner in (*cluster_queues(objects).values(), *cohorts(objects).values()):
        for flavor in owner.flavors:
            for quota in flavor.quotas:
                if quota.nominal:
                    found.setdefault((flavor.name, quota.resource), []).append((owner, quota))
    return found


RULE = Rule(
    code="QUE042",
    name="quota-above-pool-limit",
    severity=Severity.WARNING,
    summary="The quotas of a flavor are more than the limits of the NodePool whose nodes it stands for.",
    help="A workload that is admitted gets its quota, but no node: its pods stay Pending, and the quota is used. "
    "With Kueue 0.19, such a workload is evicted after 30 minutes and queued again.",
    sources=(
        "https://github.com/kubernetes-sigs/kueue/blob/ff69552e79ad21652c36caa97038382e55625cf7/site/content/en/docs/concepts/cluster_queue.md",
        "https://github.com/kubernetes-sigs/karpenter/blob/2266468104f36373ed002241afaee2d3bbc26078/pkg/apis/v1/nodepool.go",
    ),
    check=_check,
)

"""The quotas of all ClusterQueues and Cohorts as a tree."""

from decimal import Decimal

from gitgpu.model.names.kinds import CLUSTER_QUEUE, COHORT
from gitgpu.objects.objects import Objects
from gitgpu.objects.queues.quotas import QuotaOwner, cluster_queues, cohorts
from gitgpu.schedule.quota_tree import FlavorResource, Limits, Node, QuotaTree, in_cycles, quota_tree


def tree(objects: Objects) -> QuotaTree:
    """The tree of all ClusterQueues and cohorts, nothing in use. A cohort needs no object."""
    owners = _nodes(objects)
    limits = {node: _limits(owner) for node, owner in owners.items()}
    return quota_tree(limits, _parents(owners))


def cyclic_cohorts(objects: Objects) -> frozenset[str]:
    """The names of cohorts whose parents form a cycle, or that are below one."""
    return objects.once("cohorts in cycles", lambda: _cyclic_cohorts(objects))


def _cyclic_cohorts(objects: Objects) -> frozenset[str]:
    return frozenset(node.name for node in in_cycles(_parents(_nodes(objects))) if not node.is_queue)


def most(queue: QuotaOwner, flavor: str, resource: str, objects: Objects) -> Decimal | None:
    """The most of a resource that a ClusterQueue can have of a flavor; None if that depends on what is unknown."""
    if not queue.parent or objects.knows(*COHORT):
        if objects.patched_names(*CLUSTER_QUEUE):
            return None
        kept = objects.once("quota tree", lambda: tree(objects))
        return kept.potential(Node(True, queue.name), (flavor, resource))
    owned = _limits(queue).get((flavor, resource), Limits())
    return None if owned.borrowing is None else owned.nominal + owned.borrowing


def _nodes(objects: Objects) -> dict[Node, QuotaOwner]:
    queues = {Node(True, name): owner for name, owner in cluster_queues(objects).items()}
    return {**queues, **{Node(False, name): owner for name, owner in cohorts(objects).items()}}


def _parents(owners: dict[Node, QuotaOwner]) -> dict[Node, Node]:
    return {node: Node(False, owner.parent) for node, owner in owners.items() if owner.parent}


def _limits(owner: QuotaOwner) -> dict[FlavorResource, Limits]:
    return {
        (flavor.name, quota.resource): Limits(quota.nominal, quota.borrowing, quota.lending)
        for flavor in owner.flavors
        for quota in flavor.quotas
    }

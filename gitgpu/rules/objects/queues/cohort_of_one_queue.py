"""Limits for borrowing and lending in a cohort that has one member."""

from collections import Counter
from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import CLUSTER_QUEUE, COHORT
from gitgpu.model.syntax.templates import is_template
from gitgpu.objects.objects import Objects
from gitgpu.objects.queues.quotas import QuotaOwner, cluster_queues, cohorts
from gitgpu.objects.queues.references import MOST
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.spelling import nearest

_SLIP = 0.8  # the ratio of difflib from which a name is a slip of another one


def _check(objects: Objects) -> Iterator[Finding]:
    queues = cluster_queues(objects)
    if not queues or objects.patched_names(*CLUSTER_QUEUE) or not objects.knows(*CLUSTER_QUEUE):
        return
    owners = (*queues.values(), *cohorts(objects).values())
    members = Counter(owner.parent for owner in owners)
    for queue in queues.values():
        is_alone = queue.parent and members[queue.parent] == 1 and not is_template(queue.parent)
        if is_alone and _has_limits(queue) and not _has_quota(queue.parent, objects):
            message = f"no other queue is in cohort '{queue.parent}', so this one can neither borrow nor lend"
            names = sorted(set(members) - {"", queue.parent}) if len(members) <= MOST else ()
            near = nearest(queue.parent, names, _SLIP)
            remedy = f"use {near}" if near else "add other ClusterQueues to the cohort, or remove the limits"
            yield Finding(queue.item, queue.parent_at, message, remedy)


def _has_limits(queue: QuotaOwner) -> bool:
    quotas = (quota for flavor in queue.flavors for quota in flavor.quotas)
    return any((quota.borrowing or quota.lending) is not None for quota in quotas)


def _has_quota(name: str, objects: Objects) -> bool:
    """Whether the cohort has a quota of its own, or of its parents, or may have one elsewhere."""
    cohort = cohorts(objects).get(name)
    return bool(cohort and (cohort.groups or cohort.parent)) or name in objects.patched_names(*COHORT)


RULE = Rule(
    code="QUE026",
    name="cohort-of-one-queue",
    severity=Severity.WARNING,
    summary="A ClusterQueue with a limit for borrowing or lending is the only one in its cohort.",
    help="A ClusterQueue borrows from the others of its cohort, and lends to them. A cohort that has a name only "
    "because a ClusterQueue uses it exists as well, so a misspelt name is not refused.",
    sources=(
        "https://github.com/kubernetes-sigs/kueue/blob/8eab68778fc1/apis/kueue/v1beta2/clusterqueue_types.go",
        "https://github.com/kubernetes-sigs/kueue/blob/8eab68778fc1/pkg/cache/scheduler/resource_node.go",
    ),
    check=_check,
)

"""A workload that requests more than its ClusterQueue can ever have."""

from collections.abc import Iterator
from decimal import Decimal

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.annotations import MIN_PARALLELISM_ANNOTATION
from gitgpu.objects.objects import Objects
from gitgpu.objects.queues.queued import Submission, at_once, submissions
from gitgpu.objects.queues.tree import most
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for submission in submissions(objects):
        if reach(submission.queued.item.body, "metadata", "annotations", MIN_PARALLELISM_ANNOTATION):
            continue  # Kueue may start fewer pods
        for resource, amount in sorted(_largest(submission).items()):
            maximum = _maximum(submission, resource, objects)
            if maximum is not None and amount > maximum:
                queue = submission.queue
                borrowing = ", with what it can borrow" if queue.parent else ""
                message = (
                    f"Kueue never admits the workload: it requests {amount:f} {resource} at once, and ClusterQueue "
                    f"'{queue.name}' has at most {maximum:f}{borrowing}"
                )
                yield Finding(submission.queued.item, submission.queued.queue_at, message, _remedy(queue.parent))
                break


def _remedy(cohort: str) -> str:
    more = ", or let it borrow more" if cohort else ", or add the ClusterQueue to a cohort"
    return f"request less, raise nominalQuota{more}"


def _largest(submission: Submission) -> dict[str, Decimal]:
    """For each resource, what the pods of one template request that start at the same time: they get one flavor."""
    largest: dict[str, Decimal] = {}
    for pod in submission.pods:
        for name, amount in pod.requests().items():
            largest[name] = max(largest.get(name, Decimal(0)), amount * at_once(pod))
    return largest


def _maximum(submission: Submission, resource: str, objects: Objects) -> Decimal | None:
    """The most of a resource that the queue can have of one flavor; None if the queue has none, or it is unknown."""
    group = submission.queue.group_of(resource)
    amounts = [most(submission.queue, flavor.name, resource, objects) for flavor in group.flavors] if group else []
    known = [amount for amount in amounts if amount is not None]
    return max(known) if known and len(known) == len(amounts) else None


RULE = Rule(
    code="QUE015",
    name="workload-above-quota",
    severity=Severity.ERROR,
    summary="The pods of a queued workload that start together request more than its ClusterQueue can have of any "
    "flavor.",
    help="Kueue starts all pods of a job together, and those of one template with one flavor. What a ClusterQueue "
    "can have is its nominalQuota and what it can borrow: up to its borrowingLimit, of what the others of its "
    "cohort lend. A workload above that waits indefinitely.",
    sources=(
        "https://github.com/kubernetes-sigs/kueue/blob/8eab68778fc1/pkg/scheduler/flavorassigner/flavorassigner.go",
        "https://github.com/kubernetes-sigs/kueue/blob/8eab68778fc1/pkg/cache/scheduler/resource_node.go",
    ),
    check=_check,
)

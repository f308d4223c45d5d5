"""A workload that requests a resource for which its ClusterQueue has no quota."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.objects.objects import Objects
from gitgpu.objects.queues.queued import Submission, submissions
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.spelling import join_names


def _check(objects: Objects) -> Iterator[Finding]:
    for submission in submissions(objects):
        queue = submission.queue
        missing_names = [name for name in _requested(submission) if queue.group_of(name) is None]
        if missing_names:
            message = (
                f"ClusterQueue '{queue.name}' has no quota for {join_names(missing_names)}, which the pods request, so "
                "Kueue never admits the workload unless its configuration excludes the resource"
            )
            remedy = f"add {join_names(missing_names)} to coveredResources of the ClusterQueue, with quotas"
            yield Finding(submission.queued.item, submission.queued.queue_at, message, remedy)


def _requested(submission: Submission) -> list[str]:
    """The resources that the pods request, with amounts above 0, in order of name."""
    return sorted({name for pod in submission.pods for name, amount in pod.requests().items() if amount > 0})


RULE = Rule(
    code="QUE013",
    name="resource-not-in-queue",
    severity=Severity.WARNING,
    summary="The pods of a queued workload request a resource that its ClusterQueue does not cover.",
    help="Kueue admits a workload only if its ClusterQueue has a quota for every resource that the pods request, "
    "cpu and memory included. Its configuration can exclude resources, with resources.excludeResourcePrefixes "
    "or resources.quotaCheckStrategy.",
    sources=(
        "https://github.com/kubernetes-sigs/kueue/blob/8eab68778fc1/pkg/scheduler/flavorassigner/flavorassigner.go",
        "https://github.com/kubernetes-sigs/kueue/blob/8eab68778fc1/charts/kueue/values.yaml",
    ),
    check=_check,
)

"""A queue label where Kueue does not read it, or queues each pod on its own."""

from collections.abc import Iterator

from gitgpu.access import mapping_at
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import CRON_JOB
from gitgpu.model.names.labels import QUEUE_LABEL
from gitgpu.objects.objects import Item, Objects
from gitgpu.objects.queues.queued import QUEUED_KINDS, gang_of, queue_labels_of
from gitgpu.objects.workload.pods import described_pods
from gitgpu.objects.workload.queueing import Gang
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer, pointer_text

_METADATA: Pointer = ("metadata",)


def _check(objects: Objects) -> Iterator[Finding]:
    for queued_kind in QUEUED_KINDS:
        for item in objects.of(*queued_kind):
            if not mapping_at(item.body, *queue_labels_of(queued_kind)).get(QUEUE_LABEL):
                yield from _elsewhere(item)
    for pod in described_pods(objects):
        kind, labels = pod.item.identity[:2], (*pod.pointer[:-1], "metadata", "labels")
        is_together = kind in QUEUED_KINDS and gang_of(kind) is not Gang.POD
        if is_together and QUEUE_LABEL in pod.labels and not _has_queue(pod.item):
            message = f"only the pods have the queue label, so Kueue queues each pod of the {kind[1]} alone"
            place = (*labels, QUEUE_LABEL) if mapping_at(pod.item.body, *labels) else pod.pointer
            yield Finding(pod.item, place, message, f"set the label in {pointer_text(queue_labels_of(kind))}")


def _has_queue(item: Item) -> bool:
    return QUEUE_LABEL in mapping_at(item.body, *queue_labels_of(item.identity[:2]))


def _elsewhere(item: Item) -> Iterator[Finding]:
    """The label in places that look right, and that Kueue does not read."""
    kind = item.identity[:2]
    right = pointer_text(queue_labels_of(kind))
    if kind == CRON_JOB and QUEUE_LABEL in mapping_at(item.body, "metadata", "labels"):
        message = "Kueue does not queue the Jobs: they do not get the labels of their CronJob"
        yield Finding(item, (*_METADATA, "labels", QUEUE_LABEL), message, f"set the label in {right}")
    if QUEUE_LABEL in mapping_at(item.body, "metadata", "annotations"):
        message = "Kueue does not read the queue of a workload from an annotation"
        yield Finding(item, (*_METADATA, "annotations", QUEUE_LABEL), message, f"set it as a label, in {right}")


RULE = Rule(
    code="QUE017",
    name="misplaced-queue-label",
    severity=Severity.WARNING,
    summary="The queue of a workload is set where Kueue does not read it, or on its pods only.",
    help="Kueue reads the label kueue.x-k8s.io/queue-name of a job itself, and of the jobTemplate of a CronJob. A "
    "job without it starts immediately. If only its pods have the label, Kueue starts them one by one, so that "
    "some can wait for others that have no quota.",
    sources=(
        "https://github.com/kubernetes-sigs/kueue/blob/8eab68778fc1/pkg/controller/jobs/pod/pod_webhook.go",
        "https://github.com/kubernetes-sigs/kueue/blob/8eab68778fc1/pkg/controller/jobframework/interface.go",
        "https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/",
    ),
    check=_check,
)

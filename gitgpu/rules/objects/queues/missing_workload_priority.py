"""A workload that names a WorkloadPriorityClass which does not exist."""

from collections.abc import Iterator

from gitgpu.access import text_at
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import WORKLOAD_PRIORITY_CLASS
from gitgpu.model.names.labels import QUEUE_PRIORITY_LABEL
from gitgpu.objects.objects import Objects
from gitgpu.objects.queues.queued import queued_objects
from gitgpu.objects.queues.references import is_missing, remedy
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for each in queued_objects(objects):
        place = (*each.queue_at[:-1], QUEUE_PRIORITY_LABEL)
        name = text_at(each.item.body, *place)
        if is_missing(WORKLOAD_PRIORITY_CLASS, name, objects):
            message = f"WorkloadPriorityClass '{name}' does not exist, so Kueue does not queue the workload"
            yield Finding(each.item, place, message, remedy(WORKLOAD_PRIORITY_CLASS, name, objects))


RULE = Rule(
    code="QUE011",
    name="missing-workload-priority",
    severity=Severity.ERROR,
    summary="The label with the priority of a queued workload names a WorkloadPriorityClass that is not among the "
    "objects.",
    help="Kueue reads the priority when it creates the Workload of a job. If the class does not exist, this fails, "
    "and the job stays suspended. The managed extension of AKS creates classes whose names start with aks-.",
    sources=(
        "https://github.com/kubernetes-sigs/kueue/blob/8eab68778fc1/pkg/controller/jobframework/reconciler.go",
        "https://learn.microsoft.com/azure/aks/kueue-overview",
    ),
    check=_check,
)

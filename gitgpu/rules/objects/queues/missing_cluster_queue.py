"""A LocalQueue of a ClusterQueue that does not exist."""

from collections.abc import Iterator

from gitgpu.access import text_at
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import CLUSTER_QUEUE, LOCAL_QUEUE
from gitgpu.objects.objects import Objects
from gitgpu.objects.queues.references import is_missing, remedy
from gitgpu.rules.object_rule import Finding, Rule

_PLACE = ("spec", "clusterQueue")


def _check(objects: Objects) -> Iterator[Finding]:
    for item in objects.of(*LOCAL_QUEUE):
        name = text_at(item.body, *_PLACE)
        if is_missing(CLUSTER_QUEUE, name, objects):
            message = f"ClusterQueue '{name}' does not exist, so no workload of this queue starts"
            yield Finding(item, _PLACE, message, remedy(CLUSTER_QUEUE, name, objects))


RULE = Rule(
    code="QUE005",
    name="missing-cluster-queue",
    severity=Severity.ERROR,
    never_ready=True,
    summary="A LocalQueue refers to a ClusterQueue that is not among the objects.",
    help="Kueue sets the condition Active of such a LocalQueue to False with the reason ClusterQueueDoesNotExist. "
    "Its workloads stay suspended.",
    sources=(
        "https://github.com/kubernetes-sigs/kueue/blob/8eab68778fc1/pkg/controller/core/localqueue_controller.go",
    ),
    check=_check,
)

"""Workloads that name a queue of Kueue, and the queue that they name."""

from collections.abc import Iterator
from typing import NamedTuple

from gitgpu.access import mapping_at, reach, text_at
from gitgpu.model.names.kinds import CLUSTER_QUEUE, CRON_JOB, LOCAL_QUEUE, POD, SCALED_JOB
from gitgpu.model.names.labels import QUEUE_LABEL
from gitgpu.model.syntax.templates import is_template
from gitgpu.objects.objects import Item, Objects
from gitgpu.objects.queues.quotas import QuotaOwner, cluster_queues
from gitgpu.objects.workload.known_kinds import WORKLOAD_KINDS
from gitgpu.objects.workload.pods import Pod, partial_pods
from gitgpu.objects.workload.queueing import LABELS, Gang
from gitgpu.objects.workload.template import job_pods
from gitgpu.source import Pointer

# Kueue queues these only if its configuration lists them: charts/kueue/values.yaml at 8eab68778fc1.
_OPTIONAL = (
    "kubeflow.org/jaxjob",
    "kubeflow.org/paddlejob",
    "kubeflow.org/pytorchjob",
    "kubeflow.org/tfjob",
    "kubeflow.org/xgboostjob",
    "sparkoperator.k8s.io/sparkapplication",
)
QUEUED_KINDS = (
    POD,
    *(
        kind
        for kind, known in WORKLOAD_KINDS.items()
        if known.integration and known.integration.framework not in _OPTIONAL
    ),
)


class Queued(NamedTuple):
    """An object with pods that names a LocalQueue, and the place of that name."""

    item: Item
    queue: str
    queue_at: Pointer


class Submission(NamedTuple):
    """An object with pods whose LocalQueue and ClusterQueue are among the objects, and all of its pods."""

    queued: Queued
    queue: QuotaOwner
    pods: tuple[Pod, ...]


def queue_labels_of(kind: tuple[str, str]) -> Pointer:
    """Where Kueue reads the labels of an object of a kind."""
    integration = WORKLOAD_KINDS[kind].integration
    return integration.labels if integration else LABELS


def gang_of(kind: tuple[str, str]) -> Gang:
    """Which pods of an object of a kind one workload of Kueue has."""
    integration = WORKLOAD_KINDS[kind].integration
    return integration.gang if integration else Gang.POD


def queued_objects(objects: Objects) -> tuple[Queued, ...]:
    """Every object with pods that names a queue, except by a name that is filled in later."""
    return objects.once("queued", lambda: tuple(_queued(objects)))


def _queued(objects: Objects) -> Iterator[Queued]:
    for kind in QUEUED_KINDS:
        place: Pointer = (*queue_labels_of(kind), QUEUE_LABEL)
        for item in objects.of(*kind):
            queue = text_at(item.body, *place)
            if queue and not is_template(queue):
                yield Queued(item, queue, place)


def local_queues(name: str, namespace: str, objects: Objects) -> tuple[Item, ...]:
    """The LocalQueues of a name in a namespace. Without a namespace, one is set later, so any may be meant."""
    return tuple(
        item
        for item in objects.by_name(*LOCAL_QUEUE, name)
        if "" in (namespace, item.identity.namespace) or item.identity.namespace == namespace
    )


def submissions(objects: Objects) -> tuple[Submission, ...]:
    """The queued objects whose queues and pods are known completely."""
    return objects.once("submissions", lambda: tuple(_submissions(objects)))


def at_once(pod: Pod) -> int:
    """How many pods of a template one workload of Kueue starts, at least."""
    kind, count = pod.item.identity[:2], pod.counted()
    gang = gang_of(kind)
    if gang is not Gang.OBJECT:
        return 1 if gang is Gang.POD else count.size
    if kind == SCALED_JOB:  # a workload for each of its Jobs
        return job_pods(mapping_at(pod.item.body, "spec", "jobTargetRef"))
    return count.high if kind == CRON_JOB else count.low


def _submissions(objects: Objects) -> Iterator[Submission]:
    queues = cluster_queues(objects)
    if not queues:
        return
    patched = objects.patched_names(*CLUSTER_QUEUE)
    pods_by_item: dict[int, list[Pod]] = {}
    for pod in partial_pods(objects):
        pods_by_item.setdefault(id(pod.item.body), []).append(pod)
    for each in queued_objects(objects):
        pods = pods_by_item.get(id(each.item.body), [])
        locals_ = local_queues(each.queue, each.item.identity.namespace, objects)
        names = {str(reach(item.body, "spec", "clusterQueue")) for item in locals_}
        queue = queues.get(names.pop()) if len(names) == 1 else None
        if queue and queue.name not in patched and pods and not any(pod.partial for pod in pods):
            yield Submission(each, queue, tuple(pods))

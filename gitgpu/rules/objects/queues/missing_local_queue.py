"""A workload that names a LocalQueue which its namespace does not have."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import LOCAL_QUEUE
from gitgpu.objects.objects import Objects
from gitgpu.objects.queues.queued import Queued, queued_objects
from gitgpu.objects.queues.references import MOST
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.spelling import nearest


def _check(objects: Objects) -> Iterator[Finding]:
    for each in queued_objects(objects):
        if not objects.knows(*LOCAL_QUEUE):
            return
        namespace = each.item.identity.namespace
        spaces = {identity.namespace for identity in objects.identities(*LOCAL_QUEUE, each.queue)}
        if spaces and (not namespace or not spaces.isdisjoint({"", namespace})):
            continue
        where = f" in namespace {namespace}" if namespace else ""
        message = f"LocalQueue '{each.queue}' does not exist{where}, so the pods never start"
        yield Finding(each.item, each.queue_at, message, _remedy(each, spaces, objects))


def _remedy(each: Queued, spaces: set[str], objects: Objects) -> str:
    namespace = each.item.identity.namespace
    names = objects.once(("local queues", namespace), lambda: _names(namespace, objects))
    near = nearest(each.queue, names) if len(names) <= MOST else None
    if near:
        return f"use {near}, or add the LocalQueue"
    if spaces:
        return f"add a LocalQueue to {namespace}: the one with this name is in {min(spaces)}"
    return "add the LocalQueue, or correct the name"


def _names(namespace: str, objects: Objects) -> tuple[str, ...]:
    here = ("", namespace)
    return tuple(sorted({item.identity.name for item in objects.of(*LOCAL_QUEUE) if item.identity.namespace in here}))


RULE = Rule(
    code="QUE010",
    name="missing-local-queue",
    severity=Severity.ERROR,
    summary="The label with the queue of a workload names a LocalQueue that is not in its namespace.",
    help="Kueue suspends the workload, or gates its pods, and looks for the LocalQueue in the namespace of the "
    "workload only. Without it, the workload waits indefinitely.",
    sources=(
        "https://github.com/kubernetes-sigs/kueue/blob/8eab68778fc1/pkg/controller/core/workload_controller.go",
        "https://github.com/kubernetes-sigs/kueue/blob/8eab68778fc1/charts/kueue/values.yaml",
    ),
    check=_check,
)

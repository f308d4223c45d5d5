"""What a workload needs to run on its GPUs, as a patch that its owner includes as a Kustomize component.

The patch has no namespace: Kustomize sets the `namespace:` of the owner after patches, so a patch with a namespace
would match nothing, without an error. The name of the folder contains it instead.
"""

from collections.abc import Iterator

from gitgpu.access import list_at
from gitgpu.emit.emitter import Body, Emitter
from gitgpu.emit.manifest import Layer, Manifest, Role
from gitgpu.emit.pod.job import needed_settings
from gitgpu.emit.pod.queue import queue_labels
from gitgpu.objects.delivery.merge import merge_named
from gitgpu.objects.workload.known_kinds import target_group, target_shape
from gitgpu.objects.workload.pods import REQUIRED
from gitgpu.objects.workload.shape import AFFINITY, nest
from gitgpu.plan.decided.cluster import ClusterPlan, WorkloadPlan


def emit(plan: ClusterPlan) -> Iterator[Manifest]:
    """One patch for each workload, in its own folder; a Job that KEDA creates needs none."""
    for workload in plan.workloads:
        if workload.workload.job is not None:
            continue
        folder = f"{workload.workload.namespace}.{workload.workload.name}"  # names have no dots, so no two are equal
        mark = workload.workload.origin.mark
        yield Manifest(plan.cluster.name, Layer.WORKLOADS, _body(workload), mark, Role.PATCH, folder)


def _body(planned: WorkloadPlan) -> Body:
    workload = planned.workload
    shape = target_shape(workload)
    pods = needed_settings(planned)
    [container] = pods.pop("containers")
    name = container.pop("name")
    group = target_group(workload)
    head = {"apiVersion": shape.api_version, "kind": workload.target_kind, "metadata": {"name": workload.target_name}}
    if AFFINITY in shape.lacks:  # a rule ensures that the pods have one pool
        pods["nodeSelector"] = {**pods.get("nodeSelector", {}), **_selector(pods.pop(AFFINITY))}
    if shape.written:
        placed = merge_named(nest(shape.spec_at(group), pods), shape.written(group, name, container))
    else:
        placed = nest(shape.spec_at(group), {**pods, **nest(shape.container_at(name), container)})
    labels = queue_labels(planned)
    queued_head = merge_named(head, nest(shape.queue_at(group), labels)) if labels else head
    body: Body = merge_named(queued_head, placed)
    return body


def _selector(affinity: Body) -> Body:
    """The labels that an affinity with one term requires."""
    [term] = list_at(affinity, *REQUIRED[1:])
    return {each["key"]: each["values"][0] for each in term["matchExpressions"]}


EMITTER = Emitter("workload patch", emit)

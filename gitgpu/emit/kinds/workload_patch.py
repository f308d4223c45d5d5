"""What a workload needs to run on its GPUs, as a patch that its owner includes as a Kustomize component.

The patch has no namespace: Kustomize sets the `namespace:` of the owner after patches, so a patch with a namespace
would match nothing, without an error. The name of the folder contains it instead.
"""

from collections.abc import Iterator

from gitgpu.emit.emitter import Body, Emitter
from gitgpu.emit.manifest import Layer, Manifest, Role
from gitgpu.emit.pod.job import needed_settings
from gitgpu.emit.pod.queue import queued
from gitgpu.plan.decided.cluster import ClusterPlan, WorkloadPlan

APIS = {"Deployment": "apps/v1", "StatefulSet": "apps/v1", "Job": "batch/v1"}


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
    return {
        "apiVersion": APIS[workload.target_kind],
        "kind": workload.target_kind,
        "metadata": {"name": workload.target_name, **queued(planned)},
        "spec": {"template": {"spec": needed_settings(planned)}},
    }


EMITTER = Emitter("workload patch", emit)

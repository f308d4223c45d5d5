"""KEDA's ScaledJob: one Job for each share of the waiting work.

Without `gradual`, KEDA deletes running Jobs whenever anything here changes. KEDA copies the object's labels to its
Jobs, except those listed here: a GitOps engine would take Jobs with these labels for its own.
"""

from collections.abc import Iterator

from gitgpu.emit.emitter import Body, Emitter
from gitgpu.emit.manifest import Layer, Manifest
from gitgpu.emit.pod.job import place_job
from gitgpu.emit.pod.list_defaults import with_list_defaults
from gitgpu.emit.pod.queue import queue_metadata
from gitgpu.emit.triggers import job_triggers
from gitgpu.model.names.groups import KEDA_V1ALPHA1
from gitgpu.model.names.kinds import SCALED_JOB
from gitgpu.model.spec.scaling import Scaling
from gitgpu.model.syntax.duration import seconds
from gitgpu.plan.decided.cluster import ClusterPlan, WorkloadPlan

KEPT = {
    "scaledjob.keda.sh/job-excluded-labels": (
        "app.kubernetes.io/instance,app.kubernetes.io/managed-by,app.kubernetes.io/part-of"
    )
}


def emit(plan: ClusterPlan) -> Iterator[Manifest]:
    """The ScaledJob of each workload whose Jobs KEDA creates."""
    for planned in plan.workloads:
        workload = planned.workload
        if workload.job is not None and workload.scaling:
            body = _scaled(planned, workload.scaling, with_list_defaults(place_job(planned, workload.job)))
            places = workload.origin.places.move(("spec", "job"), ("spec", "jobTargetRef"))
            yield Manifest(plan.cluster.name, Layer.WORKLOADS, body, workload.origin.mark, places=places)


def _scaled(workload: WorkloadPlan, scaling: Scaling, job: Body) -> Body:
    name, namespace = workload.workload.target_name, workload.workload.namespace
    meta: Body = {"name": name, "namespace": namespace, "annotations": KEPT, **queue_metadata(workload)}
    spec: Body = {"jobTargetRef": job, "minReplicaCount": scaling.min, "maxReplicaCount": scaling.max}
    if scaling.polling_interval:
        spec["pollingInterval"] = seconds(scaling.polling_interval)
    spec |= {"rollout": {"strategy": "gradual"}, "triggers": job_triggers(workload.triggers)}
    return {"apiVersion": KEDA_V1ALPHA1, "kind": SCALED_JOB.kind, "metadata": meta, "spec": spec}


EMITTER = Emitter(SCALED_JOB.kind, emit)

"""KEDA's ScaledObject, for workloads that have replicas."""

from collections.abc import Iterator

from gitgpu.emit.emitter import Body, Emitter
from gitgpu.emit.manifest import Layer, Manifest
from gitgpu.emit.pod.job import scale_target
from gitgpu.emit.triggers import triggers
from gitgpu.model.names.groups import KEDA_V1ALPHA1
from gitgpu.model.names.kinds import SCALED_OBJECT
from gitgpu.model.spec.scaling import Scaling
from gitgpu.model.syntax.duration import seconds
from gitgpu.plan.decided.cluster import ClusterPlan, WorkloadPlan


def emit(plan: ClusterPlan) -> Iterator[Manifest]:
    """The scaler of each workload that KEDA scales, except Jobs."""
    for workload in plan.workloads:
        scaling = workload.workload.scaling
        if workload.triggers and scaling and workload.workload.job is None:
            yield Manifest(
                plan.cluster.name, Layer.WORKLOADS, _scaled(workload, scaling), workload.workload.origin.mark
            )


def _scaled(workload: WorkloadPlan, scaling: Scaling) -> Body:
    target = scale_target(workload.workload)
    spec: Body = {"scaleTargetRef": target, "minReplicaCount": scaling.min, "maxReplicaCount": scaling.max}
    if scaling.idle is not None:
        spec["idleReplicaCount"] = scaling.idle
    if scaling.cooldown:
        spec["cooldownPeriod"] = seconds(scaling.cooldown)
    if scaling.polling_interval:
        spec["pollingInterval"] = seconds(scaling.polling_interval)
    if scaling.behavior:
        spec["advanced"] = {"horizontalPodAutoscalerConfig": {"behavior": scaling.behavior}}
    if scaling.fallback:
        spec["fallback"] = {"failureThreshold": scaling.fallback.failures, "replicas": scaling.fallback.replicas}
    spec["triggers"] = triggers(workload.triggers)
    meta = {"name": workload.workload.name, "namespace": workload.workload.namespace}
    return {"apiVersion": KEDA_V1ALPHA1, "kind": SCALED_OBJECT.kind, "metadata": meta, "spec": spec}


EMITTER = Emitter(SCALED_OBJECT.kind, emit)

"""Kubernetes' own HorizontalPodAutoscaler, on a metric of pods that Prometheus Adapter provides."""

from collections.abc import Iterator

from gitgpu.emit.emitter import Body, Emitter
from gitgpu.emit.manifest import Layer, Manifest
from gitgpu.emit.pod.job import scale_target
from gitgpu.model.spec.scaling import Scaling, Signal
from gitgpu.model.syntax.duration import seconds
from gitgpu.plan.adapter import rule
from gitgpu.plan.azure_triggers import plain
from gitgpu.plan.decided.cluster import ClusterPlan, WorkloadPlan


def emit(plan: ClusterPlan) -> Iterator[Manifest]:
    """The autoscaler of each workload with `engine: hpa`."""
    for workload in plan.workloads:
        scaling = workload.workload.scaling
        if scaling and scaling.engine == "hpa":
            yield Manifest(
                plan.cluster.name, Layer.WORKLOADS, _autoscaler(workload, scaling), workload.workload.origin.mark
            )


def _autoscaler(workload: WorkloadPlan, scaling: Scaling) -> Body:
    """The metric is averaged over the pods, so the target is an average, the only type for metrics of pods."""
    target = scale_target(workload.workload)
    metrics = [_metric(signal, workload.manufacturer) for signal in scaling.signals]
    spec: Body = {"scaleTargetRef": target, "minReplicas": scaling.min, "maxReplicas": scaling.max, "metrics": metrics}
    behavior = dict(scaling.behavior or {})
    if scaling.cooldown:
        window = {"stabilizationWindowSeconds": seconds(scaling.cooldown)}
        behavior["scaleDown"] = {**window, **behavior.get("scaleDown", {})}
    if behavior:
        spec["behavior"] = behavior
    meta = {"name": workload.workload.name, "namespace": workload.workload.namespace}
    return {"apiVersion": "autoscaling/v2", "kind": "HorizontalPodAutoscaler", "metadata": meta, "spec": spec}


def _metric(signal: Signal, manufacturer: str) -> Body:
    target = {"type": "AverageValue", "averageValue": plain(signal.target)}
    return {"type": "Pods", "pods": {"metric": {"name": rule(signal.metric, manufacturer).name}, "target": target}}


EMITTER = Emitter("HorizontalPodAutoscaler", emit)

"""KEDA's ScaledObject, and the TriggerAuthentication with which it reads Azure managed Prometheus."""

from collections.abc import Iterator

from gitgpu.emit.emitter import Body, Emitter
from gitgpu.emit.manifest import Layer, Manifest
from gitgpu.model.duration import seconds
from gitgpu.model.fleet import Scaling
from gitgpu.plan.decision import ClusterPlan, Trigger, WorkloadPlan

API = "keda.sh/v1alpha1"


def emit(plan: ClusterPlan) -> Iterator[Manifest]:
    """What scales each workload that asks for scaling."""
    for one in plan.workloads:
        if one.trigger and one.workload.scaling and one.workload.scaling.engine == "keda":
            mark = one.workload.origin.mark
            yield Manifest(plan.cluster.name, Layer.WORKLOADS, _scaled(one, one.trigger, one.workload.scaling), mark)
            if one.trigger.identity:
                body = _authentication(one, one.trigger.identity)
                yield Manifest(plan.cluster.name, Layer.WORKLOADS, body, mark)


def _scaled(one: WorkloadPlan, trigger: Trigger, scaling: Scaling) -> Body:
    target = {"apiVersion": "apps/v1", "kind": one.workload.target_kind, "name": one.workload.target_name}
    spec: Body = {"scaleTargetRef": target, "minReplicaCount": scaling.min, "maxReplicaCount": scaling.max}
    if scaling.cooldown:
        spec["cooldownPeriod"] = seconds(scaling.cooldown)
    spec["triggers"] = [_trigger(one, trigger)]
    meta = {"name": one.workload.name, "namespace": one.workload.namespace}
    return {"apiVersion": API, "kind": "ScaledObject", "metadata": meta, "spec": spec}


def _trigger(one: WorkloadPlan, trigger: Trigger) -> Body:
    """An average is held as it is (Value); a sum is shared among the replicas (AverageValue).

    A GPU metric with no value means that something is broken, not that nothing is to do: it must not scale to zero.
    """
    metadata = {"serverAddress": trigger.server, "query": trigger.query, "threshold": trigger.threshold}
    if not trigger.total:
        metadata["ignoreNullValues"] = "false"
    body: Body = {
        "type": "prometheus",
        "metricType": "AverageValue" if trigger.total else "Value",
        "metadata": metadata,
    }
    if trigger.identity:
        body["authenticationRef"] = {"name": one.workload.name}
    return body


def _authentication(one: WorkloadPlan, identity: str) -> Body:
    meta = {"name": one.workload.name, "namespace": one.workload.namespace}
    spec = {"podIdentity": {"provider": "azure-workload", "identityId": identity}}
    return {"apiVersion": API, "kind": "TriggerAuthentication", "metadata": meta, "spec": spec}


EMITTER = Emitter("ScaledObject", emit)

"""KEDA's TriggerAuthentication: the identity that reads Azure managed Prometheus, and Azure queues and metrics."""

from collections.abc import Iterator

from gitgpu.emit.emitter import Emitter
from gitgpu.emit.manifest import Layer, Manifest
from gitgpu.model.names.groups import KEDA_V1ALPHA1
from gitgpu.model.names.kinds import TRIGGER_AUTHENTICATION
from gitgpu.plan.decided.cluster import ClusterPlan


def emit(plan: ClusterPlan) -> Iterator[Manifest]:
    """One for each identity that a workload's triggers need."""
    for workload in plan.workloads:
        for name, identity in {
            trigger.authentication: trigger.identity for trigger in workload.triggers if trigger.identity
        }.items():
            meta = {"name": name, "namespace": workload.workload.namespace}
            spec = {"podIdentity": {"provider": "azure-workload", "identityId": identity}}
            body = {"apiVersion": KEDA_V1ALPHA1, "kind": TRIGGER_AUTHENTICATION.kind, "metadata": meta, "spec": spec}
            yield Manifest(plan.cluster.name, Layer.WORKLOADS, body, workload.workload.origin.mark)


EMITTER = Emitter(TRIGGER_AUTHENTICATION.kind, emit)

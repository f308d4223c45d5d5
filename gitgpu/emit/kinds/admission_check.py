"""Kueue's check that the cluster autoscaler has the nodes of a workload before it starts."""

from collections.abc import Iterator

from gitgpu.emit.emitter import Body, Emitter
from gitgpu.emit.manifest import Layer, Manifest
from gitgpu.model.names.groups import KUEUE_GROUP, KUEUE_V1BETA2
from gitgpu.model.names.kinds import ADMISSION_CHECK, PROVISIONING_REQUEST_CONFIG
from gitgpu.plan.decided.cluster import ClusterPlan
from gitgpu.plan.decided.queues import Provisioning
from gitgpu.plan.queues import CHECK

CONTROLLER = "kueue.x-k8s.io/provisioning-request"


def emit(plan: ClusterPlan) -> Iterator[Manifest]:
    """The check and its settings, if the cluster autoscaler scales a pool that a team has a quota of."""
    if plan.queues.provisioning:
        for body in (_check(), _config(plan.queues.provisioning)):
            yield Manifest(plan.cluster.name, Layer.WORKLOADS, body, plan.mark)


def _check() -> Body:
    parameters = {"apiGroup": KUEUE_GROUP, "kind": PROVISIONING_REQUEST_CONFIG.kind, "name": CHECK}
    spec = {"controllerName": CONTROLLER, "parameters": parameters}
    return {"apiVersion": KUEUE_V1BETA2, "kind": ADMISSION_CHECK.kind, "metadata": {"name": CHECK}, "spec": spec}


def _config(provisioning: Provisioning) -> Body:
    """Only pods with GPUs are asked for. Pods that are alike are one template in the request."""
    return {
        "apiVersion": KUEUE_V1BETA2,
        "kind": PROVISIONING_REQUEST_CONFIG.kind,
        "metadata": {"name": CHECK},
        "spec": {
            "provisioningClassName": provisioning.request_class,
            "managedResources": list(provisioning.resources),
            "podSetMergePolicy": "IdenticalWorkloadSchedulingRequirements",
        },
    }


EMITTER = Emitter(ADMISSION_CHECK.kind, emit)

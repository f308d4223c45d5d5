"""What each pod of a workload claims: Kubernetes makes a ResourceClaim of it with the pod, and drops it with the pod.

The classes that it names come with the DRA driver's chart.
"""

from collections.abc import Iterator

from gitgpu.emit.emitter import Body, Emitter
from gitgpu.emit.manifest import Layer, Manifest
from gitgpu.plan.claim import Claim
from gitgpu.plan.decision import ClusterPlan


def emit(plan: ClusterPlan) -> Iterator[Manifest]:
    """One ResourceClaimTemplate a workload that claims its GPUs."""
    for one in plan.workloads:
        if one.claim:
            body = {
                "apiVersion": "resource.k8s.io/v1",
                "kind": "ResourceClaimTemplate",
                "metadata": {"name": one.claim.template, "namespace": one.workload.namespace},
                "spec": {"spec": {"devices": {"requests": [_request(one.claim)]}}},
            }
            yield Manifest(plan.cluster.name, Layer.WORKLOADS, body, one.workload.origin.mark)


def _request(claim: Claim) -> Body:
    wanted = {"deviceClassName": claim.device_class, "allocationMode": "ExactCount", "count": claim.gpus}
    return {"name": "gpus", "exactly": wanted}


EMITTER = Emitter("ResourceClaimTemplate", emit)

"""ResourceClaims for GPUs and NICs."""

from gitgpu.emit.emitter import Body
from gitgpu.model.names.kinds import RESOURCE_CLAIM_TEMPLATE
from gitgpu.plan.decided.claims import Claim


def claim_template(claim: Claim, namespace: str) -> Body:
    """What each pod claims: Kubernetes creates a ResourceClaim from it for the pod, and deletes it with the pod."""
    wanted = {"deviceClassName": claim.device_class, "allocationMode": "ExactCount", "count": claim.number}
    return {
        "apiVersion": "resource.k8s.io/v1",
        "kind": RESOURCE_CLAIM_TEMPLATE.kind,
        "metadata": {"name": claim.template, "namespace": namespace},
        "spec": {"spec": {"devices": {"requests": [{"name": claim.name, "exactly": wanted}]}}},
    }

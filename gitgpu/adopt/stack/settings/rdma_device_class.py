"""The DeviceClass of InfiniBand NICs that AKS manages, as claims of running pods name it."""

from collections.abc import Iterator

from gitgpu.adopt.nic_claims import nic_claims
from gitgpu.adopt.stack.evidence import Evidence
from gitgpu.adopt.stack.view import View
from gitgpu.objects.workload.pods import pods


def infer(view: View) -> Iterator[Evidence]:
    """The class of each claim template for NICs that pods use."""
    for pod in pods(view.objects):
        for claim in nic_claims(pod, view.objects):
            reason = f"ResourceClaimTemplate {claim.template.identity.name} claims NICs of this class"
            yield Evidence(("rdmaDeviceClass",), claim.device_class, reason, view.observed(claim.template))

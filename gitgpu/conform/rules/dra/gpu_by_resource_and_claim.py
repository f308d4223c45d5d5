"""A container that requests GPUs by resource name and by claim."""

from collections.abc import Iterator

from gitgpu.conform.objects import Objects, reach
from gitgpu.conform.rule import Finding, Rule
from gitgpu.conform.workload.devices import device_row
from gitgpu.conform.workload.pods import Pod, pods
from gitgpu.conform.workload.resource_claims import FORMS, GROUP, requests
from gitgpu.diagnostic import Severity

BAD = """
apiVersion: v1
kind: Pod
metadata: {name: trainer, namespace: research}
spec:
  resourceClaims: [{name: gpu, resourceClaimTemplateName: one-gpu}]
  containers:
  - name: main
    resources: {claims: [{name: gpu}], limits: {nvidia.com/gpu: 1}}
---
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: one-gpu, namespace: research}
spec:
  spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.nvidia.com}}]}}
"""


def _check(objects: Objects) -> Iterator[Finding]:
    for pod in pods(objects):
        written = filter(None, pod.spec.get("resourceClaims") or ())
        gpu_claims = {str(claim.get("name")) for claim in written if _is_gpu(claim, pod, objects)}
        for place, container in pod.containers():
            claimed = {str(claim.get("name")) for claim in reach(container, "resources", "claims") or () if claim}
            if claimed.isdisjoint(gpu_claims):
                continue
            for name in reach(container, "resources", "limits") or ():
                row = device_row(name, objects)
                if row and row["manufacturer"]:  # other devices, such as RDMA NICs, have none
                    message = f"the container requests {name} and also claims a GPU, so it gets two GPUs or none"
                    at = (*place, "resources", "limits", name)
                    yield Finding(pod.item, at, message, f"remove {name}, or remove the claim", at_key=True)


def _is_gpu(claim: dict[str, str], pod: Pod, objects: Objects) -> bool:
    """Whether the claim is among the objects, and requests devices of a GPU driver."""
    for form, kind in FORMS.items():
        for item in objects.named(GROUP, kind, claim.get(form) or ""):
            if item.identity.namespace == pod.item.identity.namespace:
                # Whole GPUs of any maker, such as gpu.nvidia.com.
                return any(request.device_class.startswith("gpu.") for request in requests(item))
    return False


RULE = Rule(
    code="POD021",
    name="gpu-by-resource-and-claim",
    severity=Severity.WARNING,
    summary="A container requests a GPU both by resource name and by claim.",
    help="A device plugin and a DRA driver do not share state, so the container requests two GPUs. If each node runs "
    "only one of the two, no node can run the pod.",
    sources=(
        "https://kubernetes.io/docs/concepts/scheduling-eviction/dynamic-resource-allocation/",
        "https://github.com/kubernetes-sigs/dra-driver-nvidia-gpu/blob/95932046683719c43b6a0dd9613c2e5aad5d6703/README.md",
    ),
    check=_check,
    bad=BAD,
    good=BAD.replace(", limits: {nvidia.com/gpu: 1}", ""),
)

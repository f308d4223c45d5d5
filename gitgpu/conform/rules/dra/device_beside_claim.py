"""A container that asks for GPUs in two ways."""

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
        ours = {
            str(one.get("name")) for one in pod.spec.get("resourceClaims") or () if one and _is_gpu(one, pod, objects)
        }
        for place, container in pod.containers():
            claimed = {str(one.get("name")) for one in reach(container, "resources", "claims") or () if one}
            for name in reach(container, "resources", "limits") or () if claimed & ours else ():
                row = device_row(name, objects)
                if row and row["manufacturer"]:
                    message = f"the container asks for {name} and claims a GPU as well: it gets two, or none"
                    at = (*place, "resources", "limits", name)
                    yield Finding(pod.item, at, message, f"keep the claim, or {name}", at_key=True)


def _is_gpu(claim: dict[str, str], pod: Pod, objects: Objects) -> bool:
    """Is the claim, where it can be seen, one for devices of a driver for GPUs?"""
    for form, kind in FORMS.items():
        for item in objects.of(GROUP, kind):
            if (item.identity.name, item.identity.namespace) == (claim.get(form), pod.item.identity.namespace):
                return any(one.device_class.startswith("gpu.") for one in requests(item))
    return False


RULE = Rule(
    code="POD021",
    name="device-beside-claim",
    severity=Severity.WARNING,
    summary="A container asks for a GPU by resource name and by claim at once.",
    help="A device plugin and a DRA driver do not know of each other. The two requests are two GPUs, and where only "
    "one of the two serves a node, no node has both.",
    sources=(
        "https://kubernetes.io/docs/concepts/scheduling-eviction/dynamic-resource-allocation/",
        "https://github.com/kubernetes-sigs/dra-driver-nvidia-gpu/blob/95932046683719c43b6a0dd9613c2e5aad5d6703/README.md",
    ),
    check=_check,
    bad=BAD,
    good=BAD.replace(", limits: {nvidia.com/gpu: 1}", ""),
)

"""A container that requests GPUs by resource name and by claim."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.groups import RESOURCE_GROUP
from gitgpu.objects.gitops.chart_values import DRA
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.devices import device_row
from gitgpu.objects.workload.pods import Pod, pods
from gitgpu.objects.workload.resource_claims import FORMS, requests
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for pod in pods(objects):
        written = filter(None, pod.spec.get("resourceClaims") or ())
        devices = {str(claim.get("name")): _device(claim, pod, objects) for claim in written}
        for place, container in pod.containers():
            claimed = [str(claim.get("name")) for claim in reach(container, "resources", "claims") or () if claim]
            device = next((devices[name] for name in claimed if devices.get(name)), "")
            for name in reach(container, "resources", "limits") or () if device else ():
                row = device_row(name, objects)
                if row and row["manufacturer"]:  # other devices, such as RDMA NICs, have none
                    message = f"the container requests {name} and also claims {device}"
                    at = (*place, "resources", "limits", name)
                    yield Finding(pod.item, at, message, f"remove {name}, or remove the claim", at_key=True)


def _device(claim: dict[str, str], pod: Pod, objects: Objects) -> str:
    """What the claim requests, and the consequence; "" if it is not among the objects or not for a GPU driver."""
    classes = objects.catalog.must("charts", DRA)["deviceClasses"]
    for form, kind in FORMS.items():
        for item in objects.by_name(RESOURCE_GROUP, kind, claim.get(form) or ""):
            if item.identity.namespace == pod.item.identity.namespace:
                requested = [request.device_class for request in requests(item)]
                # Whole GPUs of any maker have classes such as gpu.nvidia.com.
                if classes["passthrough"] in requested or any(name.startswith("gpu.") for name in requested):
                    return "a GPU, so it gets two GPUs or none"
                return "a MIG instance, so it gets both or none" if classes["mig"] in requested else ""
    return ""


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
    facts=("charts/dra-driver-nvidia-gpu",),
    check=_check,
)

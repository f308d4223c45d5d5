"""AKS does not support the allocation of GPUs by ResourceClaim."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.claims import dra_places
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Once for each place in the spec that sets it."""
    for place, clusters in dra_places(inputs.clusters):
        message = f"allocation: dra is experimental on AKS ({join_names([cluster.name for cluster in clusters])})"
        yield Finding(*place, message, "use it on a test cluster, or set allocation: device-plugin")


RULE = Rule(
    code="DRA001",
    name="dra-not-supported-by-aks",
    severity=Severity.WARNING,
    summary="A cluster sets allocation: dra, which AKS does not support yet.",
    help="Dynamic Resource Allocation is stable since Kubernetes 1.34. On AKS you must install and maintain the "
    "driver: a managed driver is announced but not available. NVIDIA's driver supports whole GPUs; sharing, health "
    "checks and dynamic MIG are alpha.",
    sources=(
        "https://github.com/Azure/AKS/issues/5962",
        "https://github.com/NVIDIA/cloud-native-docs/blob/52dcb7b8d956784344e241df476de17094a4574c/gpu-operator/dra-intro-install.rst",
    ),
    check=_check,
)

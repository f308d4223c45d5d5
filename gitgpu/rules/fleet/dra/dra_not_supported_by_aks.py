"""AKS does not support the allocation of GPUs by ResourceClaim."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.claims import dra_places
from gitgpu.spelling import join_names

_STATES = {
    "dra": "experimental on AKS",
    "aks-dra": "a field of preview versions of the AKS API, about which nothing else is documented",
}


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Once for each place in the spec that sets it."""
    for place, clusters in dra_places(inputs.clusters):
        allocation, names = clusters[0].stack.allocation, join_names([cluster.name for cluster in clusters])
        message = f"allocation: {allocation} is {_STATES[allocation]} ({names})"
        yield Finding(*place, message, "use it on a test cluster, or set allocation: device-plugin")


RULE = Rule(
    code="DRA001",
    name="dra-not-supported-by-aks",
    severity=Severity.WARNING,
    summary="A cluster sets allocation: dra or aks-dra, which AKS does not support yet.",
    help="Dynamic Resource Allocation is stable as of Kubernetes 1.34. With dra you must install and maintain the "
    "driver. With aks-dra, AKS installs it, by gpuProfile.nvidia.driverMode: DRA, which only previews of the API have; "
    "that it creates the device class gpu.nvidia.com, as NVIDIA's chart does, is not documented. NVIDIA's driver "
    "supports whole GPUs; sharing, health checks and dynamic MIG are alpha.",
    sources=(
        "https://github.com/Azure/AKS/issues/5962",
        "https://github.com/NVIDIA/cloud-native-docs/blob/52dcb7b8d956784344e241df476de17094a4574c/gpu-operator/dra-intro-install.rst",
    ),
    check=_check,
)

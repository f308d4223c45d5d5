"""devicePlugin with driver: none supports AMD GPUs on Linux only."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import with_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.requested_sizes import sizes_place


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Pools with NVIDIA GPUs or Windows nodes that set devicePlugin."""
    for pool in inputs.pools:
        # AMD GPUs on Linux are what devicePlugin is for.
        if pool.device_plugin and (pool.windows or pool.manufacturer == "nvidia"):
            gpus = with_place("NVIDIA GPUs", pool.origin, sizes_place(pool))
            message = (
                f"devicePlugin is not supported with {gpus}: their plugin needs a container runtime that you configure"
            )
            remedy = "remove devicePlugin; with driver: aks, gitgpu installs the plugin"
            if pool.windows:
                windows = with_place("Windows", pool.origin, ("spec", "os"))
                message = f"AMD's device plugin runs on Linux only, but the nodes run {windows}"
                remedy = "remove devicePlugin"
            yield Finding(pool.origin, ("spec", "devicePlugin"), message, remedy)


RULE = Rule(
    code="DRV101",
    name="device-plugin-not-supported",
    severity=Severity.ERROR,
    summary="A pool with NVIDIA GPUs or Windows nodes sets devicePlugin.",
    help="AMD's plugin reads /sys, which is the same for every driver. NVIDIA's plugin needs libraries of the "
    "driver, which the NVIDIA container runtime mounts into it. Where AKS installs no driver, it sets up no such "
    "runtime, and gitgpu cannot know where your driver and your runtime class are.",
    sources=(
        "https://github.com/ROCm/k8s-device-plugin/blob/bf3c516e6f339aea954dd225ce6b094bc74d0ef0/internal/pkg/amdgpu/amdgpu.go",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/imagefamily/bootstrap/containerd.toml.gtpl",
        "https://github.com/NVIDIA/k8s-device-plugin/blob/1b826acc6af3079d8923bac395c3124b8861a9a6/README.md",
    ),
    check=_check,
)

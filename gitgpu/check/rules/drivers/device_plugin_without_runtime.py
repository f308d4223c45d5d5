"""gitgpu brings the device plugin of a driver of somebody else's to AMD GPUs alone."""

from collections.abc import Iterator

from gitgpu.check.requested_sizes import sizes_place
from gitgpu.check.rule import Finding, Rule
from gitgpu.check.value_origins import with_place
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs

BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: h100}
spec:
  clusters: [prod-swc]
  sku: Standard_NC40ads_H100_v5
  driver: none
  devicePlugin: true
  limits: {gpus: 8}
"""
GOOD = BAD.replace("NC40ads_H100_v5", "ND96isr_MI300X_v5")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Pools of NVIDIA GPUs, or of Windows nodes, that ask for a device plugin."""
    for pool in inputs.pools:
        if pool.device_plugin and (pool.windows or pool.manufacturer == "nvidia"):
            gpus = with_place("NVIDIA's GPUs", pool.origin, sizes_place(pool))
            message = f"the device plugin of {gpus} needs a container runtime that whoever brings the driver has set up"
            remedy = "leave devicePlugin out; write driver: aks to have driver and plugin from gitgpu"
            if pool.windows:
                windows = with_place("Windows", pool.origin, ("spec", "os"))
                message, remedy = (
                    f"AMD's device plugin is for Linux, and the nodes run {windows}",
                    "leave devicePlugin out",
                )
            yield Finding(pool.origin, ("spec", "devicePlugin"), message, remedy)


RULE = Rule(
    code="DRV101",
    name="device-plugin-without-runtime",
    severity=Severity.ERROR,
    summary="The pool asks for AMD's device plugin alone, and its GPUs are NVIDIA's or its nodes run Windows.",
    help="AMD's plugin reads /sys, which is alike under every driver. NVIDIA's finds GPUs by libraries of the driver "
    "that NVIDIA's container runtime puts into it, and where AKS installs no driver it sets up no such runtime. Where "
    "the driver and the runtime class are, only who brings them knows.",
    sources=(
        "https://github.com/ROCm/k8s-device-plugin/blob/bf3c516e6f339aea954dd225ce6b094bc74d0ef0/internal/pkg/amdgpu/amdgpu.go",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/imagefamily/bootstrap/containerd.toml.gtpl",
        "https://github.com/NVIDIA/k8s-device-plugin/blob/1b826acc6af3079d8923bac395c3124b8861a9a6/README.md",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)

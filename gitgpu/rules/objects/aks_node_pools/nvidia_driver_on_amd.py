"""A node pool with AMD GPUs that requests a driver from AKS."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.objects.node.agent_pools import agent_pools
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for pool in agent_pools(objects):
        amd = [(place, sku.name) for place, _, sku in pool.sizes(objects) if sku and sku.manufacturer == "amd"]
        if amd and pool.installs_driver:
            place, size = amd[0]
            message = f"AKS does not install drivers for the AMD GPUs of {size}, and this pool does not turn that off"
            if pool.spec.get("gpuProfile"):
                place = pool.place("gpuProfile", "driver")
            remedy = "set gpuProfile: {driver: None}, and install AMD's GPU Operator"
            yield Finding(pool.item, place, message, remedy)


RULE = Rule(
    code="APL003",
    name="nvidia-driver-on-amd",
    twin="DRV001",
    severity=Severity.ERROR,
    summary="An AKS node pool has AMD GPUs and does not set gpuProfile.driver to None.",
    help="AKS installs drivers only for NVIDIA GPUs. For AMD sizes it requires gpuProfile.driver None.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/use-amd-gpus.md",
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/use-nvidia-gpu.md",
    ),
    facts=("skus",),
    check=_check,
)

"""A node pool whose GPU driver AKS cannot install."""

from collections.abc import Iterator

from gitgpu.conform.node.agent_pools import agent_pools
from gitgpu.conform.objects import Objects
from gitgpu.conform.rule import Finding, Rule
from gitgpu.diagnostic import Severity


def _check(objects: Objects) -> Iterator[Finding]:
    for pool in agent_pools(objects):
        found = next(((place, sku) for place, _, sku in pool.sizes(objects) if sku and sku.manufacturer == "amd"), None)
        if found and pool.installs_driver:
            place, sku = found
            said = pool.spec.get("gpuProfile")
            message = f"AKS installs no driver for the AMD GPUs of {sku.name}, and the pool asks for one"
            at = pool.place("gpuProfile", "driver") if said else place
            yield Finding(pool.item, at, message, "write gpuProfile: {driver: None}, and bring AMD's GPU Operator")


RULE = Rule(
    code="APL003",
    name="driver-without-support",
    severity=Severity.ERROR,
    summary="A node pool of AKS has AMD GPUs, and does not tell AKS to leave the driver out.",
    help="AKS installs drivers for NVIDIA GPUs only; for AMD sizes it wants gpuProfile.driver None.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/use-amd-gpus.md",
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/use-nvidia-gpu.md",
    ),
    check=_check,
    bad="""
apiVersion: containerservice.azure.com/v1api20250801
kind: ManagedClustersAgentPool
metadata: {name: gpu, namespace: fleet}
spec:
  owner: {name: contoso}
  vmSize: Standard_ND96isr_MI300X_v5
  mode: User
  count: 2
""",
    good="""
apiVersion: containerservice.azure.com/v1api20250801
kind: ManagedClustersAgentPool
metadata: {name: gpu, namespace: fleet}
spec:
  owner: {name: contoso}
  vmSize: Standard_ND96isr_MI300X_v5
  mode: User
  count: 2
  gpuProfile: {driver: None}
""",
)

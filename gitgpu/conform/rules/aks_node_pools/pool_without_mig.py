"""A partition of GPUs that cannot be partitioned."""

from collections.abc import Iterator

from gitgpu.conform.node.agent_pools import agent_pools
from gitgpu.conform.objects import Objects
from gitgpu.conform.rule import Finding, Rule
from gitgpu.diagnostic import Severity


def _check(objects: Objects) -> Iterator[Finding]:
    able = objects.catalog.must("pools", "aks")["migGpus"]
    for pool in agent_pools(objects):
        if not pool.spec.get("gpuInstanceProfile"):
            continue
        place = pool.place("gpuInstanceProfile")
        if pool.os_type == "Windows":
            message = "multi-instance GPUs do not exist on Windows nodes"
            yield Finding(pool.item, place, message, "remove gpuInstanceProfile, or make it a Linux pool")
        for _, name, sku in pool.sizes(objects):
            if sku and sku.gpu and sku.gpu.name not in able:
                message = f"AKS does not partition the {sku.gpu.model} GPUs of {name}"
                yield Finding(
                    pool.item, place, message, "remove gpuInstanceProfile, or take a size with A100, H100 or H200"
                )


RULE = Rule(
    code="APL004",
    name="pool-without-mig",
    severity=Severity.ERROR,
    summary="A node pool sets gpuInstanceProfile on a size or a system for which AKS has no multi-instance GPUs.",
    help="AKS partitions A100, H100 and H200 GPUs of Linux nodes; it refuses the pool otherwise.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/gpu-multi-instance.md",
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/windows-vs-linux-containers.md",
    ),
    check=_check,
    bad="""
apiVersion: containerservice.azure.com/v1api20250801
kind: ManagedClustersAgentPool
metadata: {name: gpu, namespace: fleet}
spec:
  owner: {name: contoso}
  vmSize: Standard_NC64as_T4_v3
  mode: User
  count: 1
  gpuInstanceProfile: MIG1g
""",
    good="""
apiVersion: containerservice.azure.com/v1api20250801
kind: ManagedClustersAgentPool
metadata: {name: gpu, namespace: fleet}
spec:
  owner: {name: contoso}
  vmSize: Standard_NC24ads_A100_v4
  mode: User
  count: 1
  gpuInstanceProfile: MIG1g
""",
)

"""A MIG profile on a node pool that cannot have MIG."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.objects.node.agent_pools import agent_pools
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    partitionable = objects.catalog.must("pools", "aks")["migGpus"]
    for pool in agent_pools(objects):
        if not pool.spec.get("gpuInstanceProfile"):
            continue
        place = pool.place("gpuInstanceProfile")
        if pool.os_type == "Windows":
            message = "AKS does not support multi-instance GPUs on Windows nodes"
            yield Finding(pool.item, place, message, "remove gpuInstanceProfile, or set osType: Linux")
        for _, name, sku in pool.sizes(objects):
            if sku and sku.gpu and sku.gpu.name not in partitionable:  # an unknown size may have such GPUs
                message = f"AKS does not partition the {sku.gpu.model} GPUs of {name}"
                remedy = "remove gpuInstanceProfile, or use a size with A100, H100 or H200 GPUs"
                yield Finding(pool.item, place, message, remedy)


RULE = Rule(
    code="APL004",
    name="mig-unsupported-on-node-pool",
    severity=Severity.ERROR,
    summary="A node pool sets gpuInstanceProfile, but AKS does not support MIG on its size or operating system.",
    help="AKS partitions only A100, H100 and H200 GPUs, and only on Linux nodes. It rejects gpuInstanceProfile on "
    "other pools.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/gpu-multi-instance.md",
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/windows-vs-linux-containers.md",
    ),
    facts=("pools/aks",),
    check=_check,
)

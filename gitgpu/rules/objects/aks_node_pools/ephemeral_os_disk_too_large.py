"""An ephemeral OS disk that is larger than the local disk of the size."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.objects.node.agent_pools import agent_pools
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for pool in agent_pools(objects):
        asked = pool.spec.get("osDiskSizeGB")
        if pool.spec.get("osDiskType") != "Ephemeral" or not asked:  # 0 is AKS's default for the size
            continue
        for _, name, sku in pool.sizes(objects):
            if sku and sku.ephemeral_max_gb is not None and asked > sku.ephemeral_max_gb:
                room = sku.ephemeral_max_gb
                message = f"an OS disk of {asked} GB does not fit on the local disk of {name}, which has {room:g} GB"
                remedy = f"set osDiskSizeGB: {room:g} or less" if room else "set osDiskType: Managed"
                yield Finding(pool.item, pool.place("osDiskSizeGB"), message, remedy)


RULE = Rule(
    code="APL097",
    name="ephemeral-os-disk-too-large",
    twin="DSK001",
    severity=Severity.ERROR,
    summary="An AKS node pool requests an ephemeral OS disk that does not fit on the local disk of its size.",
    help="AKS rejects the pool. Without osDiskType, it chooses a managed disk if the local disk is too small.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/concepts-storage.md",
        "https://learn.microsoft.com/azure/virtual-machines/ephemeral-os-disks",
    ),
    facts=("skus",),
    check=_check,
)

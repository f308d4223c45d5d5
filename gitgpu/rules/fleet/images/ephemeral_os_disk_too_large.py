"""An ephemeral OS disk must fit on the local disk of a size."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet_rule import Finding, Rule


def _check(inputs: Inputs) -> Iterator[Finding]:
    for pool in inputs.pools:
        disks = [(sku.ephemeral_max_gb, sku.name) for sku in pool.skus if sku.ephemeral_max_gb is not None]
        # A size whose local disk is not recorded may have room.
        if not pool.image.get("ephemeralOSDisk") or not disks or len(disks) < len(pool.skus):
            continue
        largest, name = max(disks)
        # Karpenter drops the smaller sizes; one that fits is enough.
        if largest >= pool.os_disk_gb:
            continue
        message = (
            f"an OS disk of {pool.os_disk_gb} GB does not fit: "
            f"the largest local disk of the pool has {largest:g} GB ({name})"
        )
        remedy = f"set image.osDiskGB: {largest:g} or less"
        yield Finding(pool.origin, ("spec", "image", "osDiskGB"), message, remedy)


RULE = Rule(
    code="DSK001",
    name="ephemeral-os-disk-too-large",
    twin="APL097",
    severity=Severity.ERROR,
    of_running_nodes=True,
    summary="The OS disk is set to be ephemeral, but does not fit on the local disk of any size of the pool.",
    help="Karpenter uses only sizes whose local disk can hold the OS disk. No size is left, so no node ever starts.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/instancetype/instancetype.go",
        "https://learn.microsoft.com/azure/aks/concepts-storage#ephemeral-os-disk",
    ),
    check=_check,
)

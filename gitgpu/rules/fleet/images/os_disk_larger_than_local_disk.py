"""An OS disk that is larger than the local disk silently becomes a remote disk."""

from collections.abc import Iterator
from functools import partial

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.sku import Sku
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.requested_sizes import wrong_sizes


def _check(inputs: Inputs) -> Iterator[Finding]:
    for pool in inputs.nodepools:
        disk_gb = pool.image.get("osDiskGB")
        # DSK001 reports a disk that has to be ephemeral.
        if disk_gb is None or pool.image.get("ephemeralOSDisk"):
            continue
        for _, sizes in wrong_sizes(pool, inputs.catalog, partial(_is_too_small, disk_gb)):
            message = (
                f"an OS disk of {disk_gb} GB is larger than the local disk of {sizes}, so it becomes a remote disk"
            )
            room = min(sku.ephemeral_max_gb or 0 for sku in pool.skus if _is_too_small(disk_gb, sku))
            remedy = f"set osDiskGB: {room:g} or less to use the local disk; ephemeralOSDisk: true enforces it"
            yield Finding(pool.origin, ("spec", "image", "osDiskGB"), message, remedy)


def _is_too_small(disk_gb: int, sku: Sku) -> bool:
    """Whether the size has a local disk that is smaller than the OS disk."""
    # A size without a local disk always has a remote one.
    return sku.ephemeral_max_gb is not None and 0 < sku.ephemeral_max_gb < disk_gb


RULE = Rule(
    code="DSK002",
    name="os-disk-larger-than-local-disk",
    twin="NPS012",
    severity=Severity.WARNING,
    summary="The OS disk is larger than the local disk of a size, so it silently becomes a remote disk.",
    help="A local OS disk costs nothing and pulls large GPU images faster. If the OS disk does not fit, Karpenter "
    "silently falls back to a remote disk.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/instancetype/instancetype.go",
        "https://github.com/Azure/karpenter-provider-azure/issues/1247",
    ),
    facts=("skus",),
    check=_check,
)

"""A size that Karpenter excludes."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.catalog import Catalog
from gitgpu.model.retirement import not_offered, replacement
from gitgpu.model.size.node_labels import NAMES
from gitgpu.objects.node.candidate_sizes import values
from gitgpu.objects.node.node_pools import node_pools
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule

PREFIX = "Standard_"


def _check(objects: Objects) -> Iterator[Finding]:
    for pool in node_pools(objects):
        for place, name in values(pool, NAMES):
            reason, other = _why(name, objects)
            if reason:
                message = f"Karpenter never starts {name}: {reason}"
                remedy = f"use {other}, or run this size in an AKS node pool"
                yield Finding(pool.item, place, message, remedy)


def _why(name: str, objects: Objects) -> tuple[str, str]:
    """Why Karpenter excludes a size, and what to use instead; the reason is empty if it does not."""
    sku = objects.catalog.sku(name)
    if sku is None:
        return _why_without_gpus(name, objects.catalog), "another size"
    # Other rules report a size that Azure does not offer, and a misspelt one.
    is_left_out = sku.offer == "left-out" and sku.name == name and not not_offered(sku, objects.today)
    reason = (sku.reason or "Karpenter excludes it").rstrip(".") if is_left_out else ""
    return reason, replacement(sku, "offered")


def _why_without_gpus(name: str, catalog: Catalog) -> str:
    row, size = catalog.must("exclusions", "karpenter"), name.removeprefix(PREFIX)
    if name in row["restricted"]:
        return "it is on the list of sizes that Karpenter or AKS does not support"
    if name.startswith(PREFIX) and size.startswith(tuple(row["confidential"])):
        return "Karpenter on AKS does not support confidential sizes"
    if name.startswith(PREFIX) and size.rstrip("s").rstrip("0123456789") in row["fpga"]:
        return "it has FPGAs, which Azure reports as GPUs, and it is not on Karpenter's list of GPU sizes"
    before, _, after = size.partition("-")
    if name.startswith(PREFIX) and before[-1:].isdigit() and after[:1].isdigit():
        return "Karpenter on AKS does not support sizes with constrained vCPUs"
    return ""


RULE = Rule(
    code="NPS005",
    name="size-excluded-by-karpenter",
    twin="SKU004",
    severity=Severity.ERROR,
    summary="A NodePool requires a size that Karpenter on AKS excludes.",
    help="Karpenter on AKS has a list of GPU sizes, and excludes every other size that Azure reports with GPUs or "
    "FPGAs. It also excludes confidential sizes, sizes with constrained vCPUs, and sizes whose name it cannot parse.",
    sources=(
        "https://github.com/Azure/skewer/blob/1b511013c03b2dba717188759d734e6e38001fb8/vmsize.go",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/utils/supported-gpus.yaml",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/instancetype/instancetypes.go",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/instancetype/skus.go",
    ),
    facts=("skus", "exclusions/karpenter"),
    check=_check,
)

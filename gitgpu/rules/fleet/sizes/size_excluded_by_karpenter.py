"""A pool must not name a size that Karpenter excludes."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.retirement import not_offered, replacement
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.requested_sizes import named_sizes


def _check(inputs: Inputs) -> Iterator[Finding]:
    for pool in inputs.nodepools:
        for where, sku in named_sizes(pool, inputs.catalog):
            if sku.offer != "left-out" or not_offered(sku, inputs.today):  # SKU001 and SKU003 report the others
                continue
            reason = f": {sku.reason.rstrip('.')}" if sku.reason else ""
            message = f"node auto-provisioning never starts {sku.name}{reason}"
            remedy = f"use {replacement(sku, 'offered')}, or run this size in an AKS node pool (provisioner: fixed)"
            yield Finding(pool.origin, where, message, remedy, sku.row)


RULE = Rule(
    code="SKU004",
    name="size-excluded-by-karpenter",
    twin="NPS005",
    severity=Severity.ERROR,
    of_running_nodes=True,
    summary="A pool uses a size that Karpenter excludes.",
    help="Karpenter on AKS supports a fixed list of GPU sizes. It excludes all others, confidential sizes, sizes "
    "with constrained vCPUs, and sizes whose name it cannot parse.",
    sources=(
        "https://github.com/Azure/skewer/blob/1b511013c03b2dba717188759d734e6e38001fb8/vmsize.go",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/utils/supported-gpus.yaml",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/instancetype/instancetypes.go",
    ),
    check=_check,
)

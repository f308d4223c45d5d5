"""Karpenter must know the GPUs of the sizes of a pool."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.sku import Sku
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.requested_sizes import wrong_sizes


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Sizes for which Azure reports no GPUs; with requirements, only if this applies to all sizes."""
    for pool in inputs.nodepools:
        for where, names in wrong_sizes(pool, inputs.catalog, _has_no_reported_gpus, every=True):
            message = f"Azure does not report GPUs for {names}, so Karpenter never starts it for a GPU pod"
            remedy = "start the nodes in another way, for example with a pod that requests CPUs, or use another size"
            yield Finding(pool.origin, where, message, remedy)


def _has_no_reported_gpus(sku: Sku) -> bool:
    return sku.counted_gpus == 0


RULE = Rule(
    code="SKU011",
    name="size-without-reported-gpus",
    twin="NPS016",
    severity=Severity.WARNING,
    summary="Azure does not report GPUs for the size, so no GPU pod starts a node of it.",
    help="Karpenter reads the number of GPUs from the Azure API, which reports none for some sizes. A running node "
    "has its GPUs, but limits on GPUs do not bound such nodes, and a pending GPU pod does not start one.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/instancetype/instancetype.go",
    ),
    facts=("skus",),
    check=_check,
)

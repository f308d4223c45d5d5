"""A pool must not name a size that Azure never offered."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.retirement import not_offered, replacement
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.requested_sizes import named_sizes


def _check(inputs: Inputs) -> Iterator[Finding]:
    for pool in inputs.pools:
        for where, sku in named_sizes(pool, inputs.catalog):
            if sku.lifecycle.status == "never-offered":
                yield Finding(pool.origin, where, not_offered(sku, inputs.today), f"use {replacement(sku)}", sku.row)


RULE = Rule(
    code="SKU003",
    name="never-offered-size",
    twin="NPS004",
    severity=Severity.ERROR,
    of_running_nodes=True,
    summary="A pool uses a size that Azure never offered.",
    help="Some names appear in documents and code but were never on sale, and some are names of a series. Karpenter "
    "matches sizes by exact name, so the pool stays empty.",
    sources=(
        "https://learn.microsoft.com/azure/virtual-machines/vm-naming-conventions",
        "https://learn.microsoft.com/azure/virtual-machines/sizes/overview",
    ),
    check=_check,
)

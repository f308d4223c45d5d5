"""A pool must not name a size that Azure has retired."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.dates import is_retired, retirement
from gitgpu.model.inputs import Inputs
from gitgpu.model.retirement import replacement
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.requested_sizes import named_sizes, sizes_place
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    for pool in inputs.pools:
        for where, sku in named_sizes(pool, inputs.catalog):
            if is_retired(sku, inputs.today):
                yield Finding(pool.origin, where, retirement(sku), f"use {replacement(sku)}", sku.row)
        # One size that is left is enough.
        if not pool.sizes and all(is_retired(sku, inputs.today) for sku in pool.skus):
            message = (
                "Azure has retired every size that meets the requirements: "
                f"{join_names([sku.name for sku in pool.skus])}"
            )
            yield Finding(
                pool.origin, sizes_place(pool), message, "relax the requirements; `gitgpu sku list` shows all sizes"
            )


RULE = Rule(
    code="SKU001",
    name="retired-size",
    twin="NPS003",
    severity=Severity.ERROR,
    of_running_nodes=True,
    summary="A pool uses a size that Azure has retired.",
    help="Azure creates no machines of a retired size. Karpenter may still list the name, so the NodePool is Ready "
    "and stays empty. A size with an announced retirement counts as retired from that date on, compared with --today "
    "or, without it, with the date of the catalog.",
    sources=("https://learn.microsoft.com/azure/virtual-machines/sizes/retirement/retired-sizes-list",),
    check=_check,
)

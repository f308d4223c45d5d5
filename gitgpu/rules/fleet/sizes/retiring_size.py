"""A pool should not name a size whose retirement has been announced."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.dates import retiring
from gitgpu.model.inputs import Inputs
from gitgpu.model.retirement import replacement
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.requested_sizes import named_sizes


def _check(inputs: Inputs) -> Iterator[Finding]:
    for pool in inputs.pools:
        for where, sku in named_sizes(pool, inputs.catalog):
            if not retiring(sku, inputs.today):
                continue
            day = sku.lifecycle.date or "a date that is not yet known"
            verb = "retires" if sku.lifecycle.status == "retired" else "plans to retire"
            message = f"Azure {verb} {sku.name} on {day}"
            yield Finding(pool.origin, where, message, f"move to {replacement(sku)} before then", sku.row)


RULE = Rule(
    code="SKU002",
    name="retiring-size",
    severity=Severity.WARNING,
    summary="A pool uses a size whose retirement is announced.",
    help="On the retirement date Azure stops the machines. Before that, new subscriptions may not get any.",
    sources=("https://learn.microsoft.com/azure/virtual-machines/sizes/retirement/retired-sizes-list",),
    check=_check,
)

"""A pool of several named sizes should not mix sizes with and without a price."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Pool
from gitgpu.model.inputs import Inputs
from gitgpu.model.size.node_labels import NAMES
from gitgpu.model.sku import Sku
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.requested_sizes import exclusion_text, wrong_sizes
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    for pool in inputs.nodepools:
        priced = [sku.name for sku in pool.skus if sku.obtainable and sku.priced]
        # If no size has a price, Karpenter prefers none of them.
        if not priced or not _lists_sizes(pool):
            continue
        for where, names in wrong_sizes(pool, inputs.catalog, _has_no_price):
            message = f"Karpenter has no price for {names}, so it always prefers {join_names(priced)}"
            remedy = "use a separate pool for sizes without a price, and set weight to choose which comes first"
            yield Finding(
                pool.origin,
                where,
                message,
                remedy + exclusion_text(pool, ", or list series with a price in requirements.series", ""),
            )


def _lists_sizes(pool: Pool) -> bool:
    """Whether its NodePool lists sizes. Other exact requirements allow all sizes on purpose, the unpriced ones last."""
    return not pool.exact or any(
        entry["key"] in NAMES and entry["operator"] == "In" for entry in pool.node_requirements
    )


def _has_no_price(sku: Sku) -> bool:
    return sku.priced is False


RULE = Rule(
    code="SKU005",
    name="unpriced-size",
    twin="NPS011",
    severity=Severity.WARNING,
    summary="A pool has sizes with and sizes without a price in Karpenter.",
    help="Karpenter picks the cheapest size that fits. A size without a price counts as the most expensive, so it is "
    "started only when no other size of the pool is available.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/instancetype/known_skus.yaml",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/instancetype/instancetypes.go",
    ),
    facts=("skus",),
    check=_check,
)

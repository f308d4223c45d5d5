"""The sizes of a pool should be available in the region of each of its clusters."""

from collections.abc import Iterator
from functools import partial

from gitgpu.diagnostic import Severity
from gitgpu.model.catalog import Facts
from gitgpu.model.fleet import Pool
from gitgpu.model.inputs import Inputs
from gitgpu.model.sku import Sku
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.clusters import group_clusters, pools_with_clusters
from gitgpu.rules.inputs.requested_sizes import wrong_sizes
from gitgpu.source import Pointer
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Sizes that a list of the subscription excludes or, without a list, that have a price only in other regions.

    With requirements, only if this applies to all sizes.
    """
    for pool, clusters in pools_with_clusters(inputs):
        for region, names in group_clusters(clusters, lambda cluster: cluster.region).items():
            for where, message, remedy in (*_restricted(pool, region, inputs), *_unpriced(pool, region, inputs)):
                yield Finding(pool.origin, where, message.format(f"{region} ({join_names(names)})"), remedy)


def _restricted(pool: Pool, region: str, inputs: Inputs) -> Iterator[tuple[Pointer, str, str]]:
    """Sizes that the list of the region restricts; {} in the message is the region."""
    for where, sizes in wrong_sizes(pool, inputs.catalog, partial(_is_restricted, region), every=True):
        day = inputs.catalog.must("availability", region)["sizes"]["date"]
        message = f"the subscription cannot use {sizes} in {{}}, as Azure listed on {day}"
        yield where, message, "request access with a support request to Azure, or use another size or region"


def _unpriced(pool: Pool, region: str, inputs: Inputs) -> Iterator[tuple[Pointer, str, str]]:
    """Sizes without a price in the region; {} in the message is the region."""
    if (row := inputs.catalog.facts("prices", region)) is None:
        return
    for where, sizes in wrong_sizes(pool, inputs.catalog, partial(_priced_elsewhere, region, row), every=True):
        message = f"Azure does not list a price for {sizes} in {{}} on {row['date']}: it may not be available there"
        yield where, message, f"check `az vm list-skus --location {region}`, or use another size or region"


def _is_restricted(region: str, sku: Sku) -> bool:
    return bool(sku.restricted.get(region))


def _priced_elsewhere(region: str, prices: Facts, sku: Sku) -> bool:
    """Whether a size of the built-in catalog has prices, but none here. The user's own sizes have no prices at all."""
    # A list from Azure says whether it is available; prices of sizes that Karpenter excludes are seldom recorded.
    if region in sku.restricted or not sku.obtainable:
        return False
    return sku.priced is True and not sku.origin and sku.name not in prices["onDemand"]


RULE = Rule(
    code="SKU016",
    name="size-not-available-in-region",
    severity=Severity.WARNING,
    summary="Azure does not list a price for the size of a pool in the region of one of its clusters, or restricts the "
    "size.",
    help="GPU sizes are available in some regions only, and for some subscriptions only. Karpenter starts only the "
    "sizes that Azure lists for the region without a restriction. A price can be missing for other reasons, and "
    "another subscription can have other restrictions, so this is a warning. After `gitgpu catalog refresh`, gitgpu "
    "checks the list of your subscription instead of the prices.",
    sources=(
        "https://github.com/Azure/skewer/blob/0119bd0cb17cb1ae5b9682bf096a2e3aa1435a60/sku.go",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/pricing/zz_generated.pricing.go",
        "https://learn.microsoft.com/azure/virtual-machines/sizes/overview",
    ),
    check=_check,
)

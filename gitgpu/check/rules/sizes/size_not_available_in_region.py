"""The sizes of a pool should be available in the region of each of its clusters."""

from collections.abc import Iterator
from functools import partial

from gitgpu.check.clusters import grouped, pools_with_clusters
from gitgpu.check.names import join_names
from gitgpu.check.requested_sizes import wrong_sizes
from gitgpu.check.rule import Finding, Rule
from gitgpu.diagnostic import Severity
from gitgpu.model.catalog import Facts
from gitgpu.model.inputs import Inputs
from gitgpu.model.sku import Sku

BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: v100}
spec: {clusters: [prod-swc], sku: Standard_ND40rs_v2, limits: {gpus: 8}}
"""
GOOD = BAD.replace("Standard_ND40rs_v2", "Standard_ND96isr_H100_v5").replace("v100", "h100")


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Sizes with a price in other regions but not in this one; with requirements, only if this holds for all sizes."""
    for pool, clusters in pools_with_clusters(inputs):
        for region, names in grouped(clusters, lambda cluster: cluster.region).items():
            if (row := inputs.catalog.facts("prices", region)) is None:
                continue
            for where, sizes in wrong_sizes(pool, inputs.catalog, partial(_priced_elsewhere, row), every=True):
                message = f"Azure lists no price for {sizes} in {region} on {row['date']} ({join_names(names)})"
                remedy = f"check `az vm list-skus --location {region}`, or use another size or region"
                yield Finding(pool.origin, where, f"{message}: whether it is available there is uncertain", remedy)


def _priced_elsewhere(prices: Facts, sku: Sku) -> bool:
    """Is it a size of the built-in catalog with prices, but none here? A user's own size has no prices at all."""
    return sku.priced is True and not sku.origin and sku.name not in prices["onDemand"]


RULE = Rule(
    code="SKU016",
    name="size-not-available-in-region",
    severity=Severity.WARNING,
    summary="Azure lists no price for the size of a pool in the region of one of its clusters.",
    help="GPU sizes are available in some regions only. Karpenter asks Azure for the sizes of the region and starts "
    "no others. A price can be missing for other reasons, so this is a warning.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/pricing/zz_generated.pricing.go",
        "https://learn.microsoft.com/azure/virtual-machines/sizes/overview",
    ),
    check=_check,
    bad=BAD,
    good=GOOD,
)

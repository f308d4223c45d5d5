"""A pool's size should be on sale in the region of each of its clusters."""

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


def check(inputs: Inputs) -> Iterator[Finding]:
    """Sizes with a price elsewhere and none in this region; of requirements, only when that is true of all."""
    for pool, clusters in pools_with_clusters(inputs):
        for region, names in grouped(clusters, lambda cluster: cluster.region).items():
            if (row := inputs.catalog.facts("prices", region)) is None:
                continue
            for where, sizes in wrong_sizes(pool, inputs.catalog, partial(_elsewhere, row), every=True):
                message = f"Azure's prices of {row['date']} have none of {sizes} in {region} ({join_names(names)})"
                remedy = "ask `az vm list-skus --location` for it, or take a size or a region that has it"
                yield Finding(pool.origin, where, f"{message}: whether it is sold there is uncertain", remedy)


def _elsewhere(prices: Facts, sku: Sku) -> bool:
    """Is it one of gitgpu's own rows that has prices, but not here? Of a user's own size there is none at all."""
    return sku.priced is True and not sku.origin and sku.name not in prices["onDemand"]


RULE = Rule(
    code="SKU016",
    name="size-not-sold-in-region",
    severity=Severity.WARNING,
    summary="Azure lists no price of the pool's size in the region of one of its clusters.",
    help="GPU sizes are sold in some regions only. Karpenter asks Azure for the sizes of the region and starts none "
    "that is not among them. A price can be missing for other reasons, so this is a warning.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/pricing/zz_generated.pricing.go",
        "https://learn.microsoft.com/azure/virtual-machines/sizes/overview",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)

"""A pool's size should be on sale in the region of each of its clusters."""

from collections.abc import Iterator
from functools import partial

from gitgpu.check.clusters import grouped, spread
from gitgpu.check.phrase import listed
from gitgpu.check.rule import Finding, Rule
from gitgpu.check.sizes import wrong
from gitgpu.diagnostic import Severity
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
    """Sizes with a price in some regions and none in this one; of requirements, only when that is true of all."""
    catalog = inputs.catalog
    lists = {name: catalog.must("prices", name) for name in catalog.names("prices")}
    sold = frozenset(size for row in lists.values() for size in row["onDemand"])
    for pool, clusters in spread(inputs):
        for region, names in grouped(clusters, lambda cluster: cluster.region).items():
            row = lists.get(region)
            missing = partial(_missing, sold.difference(row["onDemand"] if row else sold))
            for where, sizes in wrong(pool, catalog, missing, every=True) if row else ():
                message = f"Azure's prices of {row['date']} have none of {sizes} in {region} ({listed(names)})"
                remedy = "ask `az vm list-skus --location` for it, or take a size or a region that has it"
                yield Finding(pool.origin, where, f"{message}: whether it is sold there is uncertain", remedy)


def _missing(elsewhere: frozenset[str], sku: Sku) -> bool:
    return sku.name in elsewhere


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

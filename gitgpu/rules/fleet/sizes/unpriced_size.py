"""A pool of several named sizes should not mix sizes with and without a price."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Pool
from gitgpu.model.inputs import Inputs
from gitgpu.model.size.node_labels import NAMES
from gitgpu.model.sku import Sku
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.requested_sizes import narrowed, wrong_sizes
from gitgpu.spelling import join_names

BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: h100}
spec:
  clusters: [prod-swc]
  sku: [Standard_ND96isr_H100_v5, Standard_ND96isf_H100_v5]
  limits: {gpus: 32}
"""
SIZES = "[Standard_ND96isr_H100_v5, Standard_ND96isf_H100_v5]"
BY_REQUIREMENTS = BAD.replace(f"sku: {SIZES}", "requirements: {gpu: {model: [H100]}}")
BY_NODE_REQUIREMENTS = BAD.replace(f"sku: {SIZES}", f"nodeRequirements: [{{key: NAME, operator: In, values: {SIZES}}}]")
BY_SIZE = BY_NODE_REQUIREMENTS.replace("NAME", "node.kubernetes.io/instance-type")
BY_SERIES = BY_NODE_REQUIREMENTS.replace("NAME", "karpenter.azure.com/sku-series").replace(
    SIZES, "[NDisr_v5, NDisf_v5]"
)
WITHOUT_PRICES = BAD.replace(SIZES, "[Standard_ND96isf_H100_v5, Standard_ND96isf_H200_v5]")
EXCLUDED = "{key: node.kubernetes.io/instance-type, operator: NotIn, values: [Standard_NC40ads_H100_v5]}"


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
                remedy + narrowed(pool, ", or list series with a price in requirements.series", ""),
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
    check=_check,
    bad=BAD,
    good=BAD.replace(
        "Standard_ND96isr_H100_v5, Standard_ND96isf_H100_v5", "Standard_NC40ads_H100_v5, Standard_NC80adis_H100_v5"
    ),
    variants=(BY_REQUIREMENTS, BY_SIZE),
    near_misses=(
        # If no size has a price, Karpenter prefers none.
        WITHOUT_PRICES,
        # Such requirements allow all sizes on purpose.
        BY_SERIES,
        # NotIn excludes a size, and no requirement lists any.
        BY_SERIES.replace("[{", f"[{EXCLUDED}, {{"),
    ),
)

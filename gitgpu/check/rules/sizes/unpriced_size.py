"""A pool of several named sizes should not mix sizes with and without a price."""

from collections.abc import Iterator

from gitgpu.check.requested_sizes import named
from gitgpu.check.rule import Finding, Rule
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
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


def _check(inputs: Inputs) -> Iterator[Finding]:
    for pool in inputs.nodepools:
        found = [(where, sku) for where, sku in named(pool, inputs.catalog) if sku.obtainable]
        priced = [sku.name for _, sku in found if sku.priced]
        if not priced:
            continue
        for where, sku in found:
            if sku.priced is False:
                message = (
                    f"Karpenter has no price for {sku.name} and picks {join_names(priced)} first, whatever it costs"
                )
                yield Finding(
                    pool.origin,
                    where,
                    message,
                    "use a separate pool for it, and set weight to choose which comes first",
                )


RULE = Rule(
    code="SKU005",
    name="unpriced-size",
    severity=Severity.WARNING,
    summary="A pool lists sizes with and sizes without a price in Karpenter.",
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
)

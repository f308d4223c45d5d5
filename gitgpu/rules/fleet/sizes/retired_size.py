"""A pool must not name a size that Azure has retired."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.dates import retired, retirement
from gitgpu.model.inputs import Inputs
from gitgpu.model.retirement import replacement
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.requested_sizes import named, sizes_place
from gitgpu.spelling import join_names

BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: v100}
spec:
  clusters: [prod-swc]
  sku: Standard_NC6s_v3
  limits: {gpus: 8}
"""
ANNOUNCED = f"""\
# gitgpu validate --today 2027-10-15
{BAD.replace("sku: Standard_NC6s_v3", "requirements: {series: [NCas_v9]}  # invented, to show the error")}"""
ONE_IS_LEFT = ANNOUNCED.replace("[NCas_v9]", "[NCas_v9, NDisr_v5]")
GOOD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: t4}
spec:
  clusters: [prod-swc]
  sku: Standard_NC16as_T4_v3
  limits: {gpus: 8}
"""


def _check(inputs: Inputs) -> Iterator[Finding]:
    for pool in inputs.pools:
        for where, sku in named(pool, inputs.catalog):
            if retired(sku, inputs.today):
                yield Finding(pool.origin, where, retirement(sku), f"use {replacement(sku)}")
        # One size that is left is enough.
        if not pool.sizes and all(retired(sku, inputs.today) for sku in pool.skus):
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
    summary="A pool uses a size that Azure has retired.",
    help="Azure creates no machines of a retired size. Karpenter may still list the name, so the NodePool is Ready "
    "and stays empty. A size with an announced retirement counts as retired from that date on, compared with --today "
    "or, without it, with the date of the catalog.",
    sources=("https://learn.microsoft.com/azure/virtual-machines/sizes/retirement/retired-sizes-list",),
    check=_check,
    bad=BAD,
    good=GOOD,
    variants=(
        # The announced day has come.
        ANNOUNCED,
    ),
    near_misses=(ONE_IS_LEFT,),
)

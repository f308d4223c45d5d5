"""A pool must not name a size that Azure has retired."""

from collections.abc import Iterator

from gitgpu.check.clock import retired, retirement
from gitgpu.check.phrase import listed
from gitgpu.check.retirement import replacement
from gitgpu.check.rule import Finding, Rule
from gitgpu.check.sizes import REQUIREMENTS, named
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs


def _check(inputs: Inputs) -> Iterator[Finding]:
    for pool in inputs.pools:
        for where, sku in named(pool, inputs.catalog):
            if retired(sku, inputs.today):
                yield Finding(pool.origin, where, retirement(sku), f"write {replacement(sku)}")
        if not pool.sizes and pool.skus and all(retired(sku, inputs.today) for sku in pool.skus):
            message = f"Azure has retired all that meet the requirements: {listed([sku.name for sku in pool.skus])}"
            yield Finding(pool.origin, REQUIREMENTS, message, "loosen them; `gitgpu sku list` shows every size")


RULE = Rule(
    code="SKU001",
    name="retired-size",
    severity=Severity.ERROR,
    summary="The pool names a size that Azure has retired.",
    help="No machine of a retired size can be had. Karpenter may still list the name, so the pool is ready, and empty. "
    "A size whose retirement is announced counts as retired from the planned day on, compared with --today, or without "
    "it with the day on which the catalog was checked.",
    sources=("https://learn.microsoft.com/azure/virtual-machines/sizes/retirement/retired-sizes-list",),
    check=_check,
    bad="""\
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: v100}
spec:
  clusters: [prod-swc]
  sku: Standard_NC6s_v3
  limits: {gpus: 8}
""",
    good="""\
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: t4}
spec:
  clusters: [prod-swc]
  sku: Standard_NC16as_T4_v3
  limits: {gpus: 8}
""",
)

"""A pool must not name a size that Azure has retired."""

from collections.abc import Iterator

from gitgpu.check.rule import Finding, Rule
from gitgpu.check.sizes import named
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs


def _check(inputs: Inputs) -> Iterator[Finding]:
    for pool in inputs.pools:
        for where, sku in named(pool, inputs.catalog):
            if sku.lifecycle.status != "retired":
                continue
            since = f" on {sku.lifecycle.date}" if sku.lifecycle.date else ""
            other = sku.lifecycle.replacement or "a size that `gitgpu sku list` shows as active"
            yield Finding(pool.origin, where, f"Azure retired {sku.name}{since}", f"write {other}")


RULE = Rule(
    code="SKU001",
    name="retired-size",
    severity=Severity.ERROR,
    summary="The pool names a size that Azure has retired.",
    help="No machine of a retired size can be had. Karpenter may still list the name, so the pool is ready, and empty.",
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

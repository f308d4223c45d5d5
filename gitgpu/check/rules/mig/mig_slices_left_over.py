"""A MIG layout should leave nothing of a GPU over."""

from collections.abc import Iterator

from gitgpu.check.mig import cut_pools, gpus, layout_place
from gitgpu.check.rule import Finding, Rule
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.mig import Layout, cut, profiles
from gitgpu.model.sku import Gpu

BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: a100}
spec:
  clusters: [prod-swc]
  sku: Standard_NC24ads_A100_v4
  driver: operator
  image: {family: Ubuntu2204}
  limits: {gpus: 8}
  partition: {mig: {profiles: {7g.80gb: 1}}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: h100}
spec:
  clusters: [prod-swc]
  sku: Standard_NC40ads_H100_v5
  driver: operator
  image: {family: Ubuntu2204}
  limits: {gpus: 8}
  partition: {mig: {profiles: {3g.47gb: 1}}}
"""
GOOD = BAD.replace("{3g.47gb: 1}", "{7g.94gb: 1}")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Pools with layouts that could hold another instance; with single that is one more of the same."""
    for pool, mig, _ in cut_pools(inputs):
        for index, layout in enumerate(mig.layouts):
            spare = [one for _, gpu in gpus(pool) if layout and (one := _spare(gpu, layout, single=mig.single))]
            if spare and len(spare) == len(gpus(pool)):
                message = f"a GPU has room for one more instance of {spare[0]}"
                yield Finding(pool.origin, layout_place(mig, index), message, "add it, or take a larger profile")


def _spare(gpu: Gpu, layout: Layout, *, single: bool) -> str:
    if cut(gpu, layout):
        return ""
    more = layout if single else reversed(profiles([gpu]))
    return next((one for one in more if not cut(gpu, {**layout, one: layout.get(one, 0) + 1})), "")


RULE = Rule(
    code="PRT004",
    name="mig-slices-left-over",
    severity=Severity.WARNING,
    summary="A MIG layout leaves room for another instance on each GPU.",
    help="What no instance takes cannot be used by anybody, and is paid for all the same.",
    sources=("https://docs.nvidia.com/datacenter/tesla/mig-user-guide/supported-mig-profiles.html",),
    check=check,
    bad=BAD,
    good=GOOD,
)

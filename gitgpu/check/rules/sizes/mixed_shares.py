"""A pool should not mix whole GPUs with parts of one."""

from collections.abc import Iterator

from gitgpu.check.names import join_names
from gitgpu.check.requested_sizes import sizes_place
from gitgpu.check.rule import Finding, Rule
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs

BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: a10}
spec:
  clusters: [prod-swc]
  sku: [Standard_NV6ads_A10_v5, Standard_NV36ads_A10_v5]
  limits: {gpus: 8}
"""
GOOD = BAD.replace("NV6ads_A10_v5", "NV72ads_A10_v5")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Pools whose sizes present different parts of a GPU as one."""
    for pool in inputs.pools:
        sizes: dict[str, list[str]] = {}
        for sku in pool.skus:
            if sku.row["gpu"] and sku.row["gpu"]["share"]:
                sizes.setdefault(sku.share, []).append(sku.name)
        if len(sizes) > 1:
            shown = "; ".join(f"{_said(share)} on {join_names(names)}" for share, names in sorted(sizes.items()))
            message = f"what a pod gets for one GPU differs: {shown}"
            remedy = "make a pool of each" + ("" if pool.sizes else ", or leave requirements.gpu.fractional out")
            yield Finding(pool.origin, sizes_place(pool), message, remedy)


def _said(share: str) -> str:
    return "a whole one" if share == "1" else f"{share} of one"


RULE = Rule(
    code="SKU013",
    name="mixed-shares",
    severity=Severity.WARNING,
    summary="The pool's sizes hold whole GPUs and parts of one, or different parts.",
    help="Some sizes hold a part of a GPU, with that part of its memory, and still advertise one GPU. Karpenter takes "
    "the cheapest size that fits, so a pod gets the smallest part.",
    sources=(
        "https://learn.microsoft.com/azure/virtual-machines/sizes/gpu-accelerated/nvadsa10v5-series",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/instancetype/instancetype.go",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)

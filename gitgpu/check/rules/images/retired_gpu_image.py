"""AKS has no node image for GPUs any more."""

from collections.abc import Iterator

from gitgpu.check.rule import Finding, Rule
from gitgpu.check.value_origins import pool_place
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs

BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: t4}
spec:
  clusters: [prod-swc]
  sku: Standard_NC16as_T4_v3
  limits: {gpus: 8}
  tags: {UseGPUDedicatedVHD: "true"}
"""
GOOD = BAD.replace('tags: {UseGPUDedicatedVHD: "true"}', "driver: aks")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Tags and labels, in any casing, that are named like the header by which the image was asked for."""
    image = inputs.catalog.must("pools", "aks")["retiredImage"]
    for pool in inputs.pools:
        for group, named in (("tags", pool.tags), ("labels", pool.labels)):
            for key in sorted(named):
                if key.lower().rpartition("/")[2] == image["header"].lower():
                    message = f"AKS retired its specialised GPU image on {image['since']}: {key} asks for nothing"
                    remedy = "remove it; driver: aks has AKS install the driver, and gitgpu the device plugin"
                    yield Finding(*pool_place(inputs, pool, group, key), message, remedy)


RULE = Rule(
    code="DRV080",
    name="retired-gpu-image",
    severity=Severity.ERROR,
    summary="A pool asks for the specialised GPU image that AKS has retired.",
    help="The image brought the driver and the device plugin along. AKS makes no nodes from it any more, and heeds no "
    "tag or label that names it: AKS installs the driver on every GPU node now, and the device plugin or the GPU "
    "Operator is yours to add.",
    sources=("https://github.com/Azure/AKS/issues/4472", "https://github.com/Azure/AgentBaker/pull/5552"),
    check=check,
    bad=BAD,
    good=GOOD,
)

"""AKS installs a driver on the sizes that it knows."""

from collections.abc import Iterator

from gitgpu.check.drivers import beside, installers, place
from gitgpu.check.names import join_names
from gitgpu.check.node_pools import EXAMPLE, node_pools
from gitgpu.check.requested_sizes import sizes_place
from gitgpu.check.rule import Finding, Rule
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs

BAD = f"""\
{EXAMPLE}---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {{name: secret}}
spec:
  clusters: [prod-swc]
  sku: Standard_NCC40ads_H100_v5
  driver: aks
  limits: {{gpus: 8}}
"""
GOOD = BAD.replace("driver: aks", "driver: none")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Node pools of a size that is not on AKS's list, with a driver from AKS."""
    for pool, clusters in node_pools(inputs):
        strange = [sku.name for sku in pool.skus if not sku.os and not sku.gone]
        names = installers(inputs, pool, clusters).get("aks", [])
        if strange and names:
            sizes = beside(pool, join_names(strange), sizes_place(pool))
            message = f"AKS has no GPU software for {sizes}, and is asked to install it on {join_names(names)}"
            remedy = "write driver: none and bring your own, or take a size of `gitgpu sku list` with a driver"
            yield Finding(pool.origin, place(pool, sizes_place(pool)), message, remedy)


RULE = Rule(
    code="AGP016",
    name="size-without-gpu-software",
    severity=Severity.ERROR,
    summary="AKS is asked to install a driver on a size that it does not know.",
    help="AKS puts GPU software on the sizes of its list. Another N-series size becomes a node without a driver, and "
    "without support.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/use-nvidia-gpu.md",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/utils/supported-gpus.yaml",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)

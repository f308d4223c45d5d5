"""A node pool has nodes of one size."""

from collections.abc import Iterator

from gitgpu.check.names import join_names
from gitgpu.check.node_pools import EXAMPLE, node_pools
from gitgpu.check.requested_sizes import sizes_place
from gitgpu.check.rule import Finding, Rule
from gitgpu.check.value_origins import cluster_with_place
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs

BAD = f"""\
{EXAMPLE}---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {{name: a100}}
spec:
  clusters: [prod-swc]
  sku: [Standard_NC24ads_A100_v4, Standard_NC48ads_A100_v4]
  limits: {{gpus: 8}}
"""
GOOD = BAD.replace("[Standard_NC24ads_A100_v4, Standard_NC48ads_A100_v4]", "Standard_NC24ads_A100_v4")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Node pools for which several sizes would do."""
    for pool, clusters in node_pools(inputs):
        if len(pool.skus) > 1:
            names = [cluster_with_place(one, "provisioner") for one in clusters]
            sizes = join_names([sku.name for sku in pool.skus])
            message = f"a node pool, as on {join_names(names)}, has one size, and here {sizes} would do"
            yield Finding(
                pool.origin, sizes_place(pool), message, "write sku with one of them, and a GpuPool for each other"
            )


RULE = Rule(
    code="AGP006",
    name="several-sizes-in-node-pool",
    severity=Severity.ERROR,
    summary="A pool on a cluster with the cluster autoscaler may have nodes of several sizes.",
    help="The size of a node pool is fixed when it is made. Which of several node pools grows is the choice of the "
    "autoscaler: pods may name several pools.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/create-node-pools.md",
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/use-nvidia-gpu.md",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)

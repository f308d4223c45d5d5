"""An AKS node pool has one size."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import clusters_with_provisioner
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.node_pools import node_pools
from gitgpu.rules.inputs.requested_sizes import sizes_place
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Node pools whose spec allows several sizes."""
    for pool, clusters in node_pools(inputs):
        if len(pool.skus) > 1 and not pool.exact and not pool.has_machines:  # AGP005 reports exact requirements
            names = clusters_with_provisioner(pool, clusters)
            sizes = join_names([sku.name for sku in pool.skus])
            message = f"an AKS node pool has one size, but the pool allows {sizes} on {join_names(names)}"
            yield Finding(
                pool.origin,
                sizes_place(pool),
                message,
                "set sku to one of them, and use another GpuPool for each other size",
            )


RULE = Rule(
    code="AGP006",
    name="several-sizes-in-node-pool",
    severity=Severity.ERROR,
    of_running_nodes=True,
    summary="An AKS node pool allows several sizes.",
    help="The size of a node pool is fixed when it is created. A workload can name several pools; the cluster "
    "autoscaler then chooses which node pool to scale up.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/create-node-pools.md",
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/use-nvidia-gpu.md",
    ),
    check=_check,
)

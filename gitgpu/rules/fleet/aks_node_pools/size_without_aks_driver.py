"""AKS installs a driver only on the sizes that it supports."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.driver_owner import AKS_ONLY
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.drivers import conflict_with_place, installers, place
from gitgpu.rules.inputs.node_pools import node_pools
from gitgpu.rules.inputs.requested_sizes import sizes_place
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Node pools with driver: aks or aks-only and a size that is not on the list of AKS."""
    for pool, clusters in node_pools(inputs):
        # SKU001 and SKU003 report sizes that Azure does not offer.
        unsupported = [sku.name for sku in pool.skus if not sku.os and not sku.why_gone]
        by_driver = installers(inputs, pool, clusters)
        names = [*by_driver.get("aks", []), *by_driver.get(AKS_ONLY, [])]
        if unsupported and names:
            sizes = conflict_with_place(pool, join_names(unsupported), sizes_place(pool))
            message = f"AKS has no GPU driver for {sizes}, so it cannot install one on {join_names(names)}"
            remedy = "set driver: none and install your own, or use a size that `gitgpu sku list` shows with a driver"
            yield Finding(pool.origin, place(pool, sizes_place(pool)), message, remedy)


RULE = Rule(
    code="AGP016",
    name="size-without-aks-driver",
    twin="APL098",
    severity=Severity.ERROR,
    of_running_nodes=True,
    summary="A pool lets AKS install the driver on a size that AKS does not support.",
    help="AKS installs GPU software on the sizes on its list. A node of another N-series size has no driver and no "
    "support.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/use-nvidia-gpu.md",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/utils/supported-gpus.yaml",
    ),
    check=_check,
)

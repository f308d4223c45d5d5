"""A Windows pool needs a size that AKS supports on Windows."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import with_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.node_pools import windows_pools
from gitgpu.rules.inputs.requested_sizes import wrong_sizes


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Windows pools of sizes whose GPUs AKS is known to support only on Linux."""
    for pool, _ in windows_pools(inputs):
        # AGP016 reports sizes for which AKS has no driver at all.
        for where, names in wrong_sizes(pool, inputs.catalog, lambda sku: sku.os and "windows" not in sku.os):
            message = f"AKS has no GPU driver for {names} on {with_place('Windows', pool.origin, ('spec', 'os'))}"
            yield Finding(pool.origin, where, message, "use an NVIDIA size such as Standard_NV36ads_A10_v5")


RULE = Rule(
    code="WIN004",
    name="size-not-supported-on-windows",
    severity=Severity.ERROR,
    of_running_nodes=True,
    summary="A Windows pool has a size whose GPUs AKS supports on Linux only.",
    help="AKS installs Windows drivers only for NVIDIA GPUs of the sizes on its list.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/use-windows-gpu.md",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/utils/supported-gpus.yaml",
    ),
    facts=("skus",),
    check=_check,
)

"""A pool with AMD GPUs must not get an NVIDIA driver."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.clusters import pools_with_clusters
from gitgpu.rules.inputs.drivers import conflict_with_place, installers, place
from gitgpu.rules.inputs.requested_sizes import wrong_sizes
from gitgpu.spelling import join_names

REMEDY = "set driver: operator to use the AMD GPU Operator, or set driver: none and install the software yourself"


def _check(inputs: Inputs) -> Iterator[Finding]:
    for pool, clusters in pools_with_clusters(inputs):
        if pool.windows:
            continue  # AKS has no software for AMD GPUs on Windows: WIN004 reports that
        for driver, names in installers(inputs, pool, clusters).items():
            if driver in ("operator", "none"):
                continue
            # Where AKS installs the driver, Karpenter drops AMD sizes. One size that is left is enough.
            for where, sizes in wrong_sizes(pool, inputs.catalog, lambda sku: sku.manufacturer == "amd", every=True):
                gpus = conflict_with_place(pool, f"the GPUs of {sizes} are from AMD", where)
                message = f"driver: {driver} on {join_names(names)} installs an NVIDIA driver, but {gpus}"
                yield Finding(pool.origin, place(pool, where), message, REMEDY)


RULE = Rule(
    code="DRV001",
    name="nvidia-driver-on-amd",
    twin="APL003",
    severity=Severity.ERROR,
    summary="A pool with AMD GPUs is set to install an NVIDIA driver.",
    help="AKS installs no AMD driver. Where AKS is set to install the driver, Karpenter drops AMD sizes and does not "
    "start nodes.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/instancetype/instancetypes.go",
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/use-amd-gpus.md",
        "https://learn.microsoft.com/azure/aks/use-amd-gpus",
    ),
    facts=("skus",),
    check=_check,
)

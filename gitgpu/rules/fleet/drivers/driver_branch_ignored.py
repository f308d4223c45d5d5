"""driverBranch applies to drivers that the GPU Operator installs."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.clusters import pools_with_clusters
from gitgpu.rules.inputs.drivers import driver_with_place, installers
from gitgpu.spelling import join_names

PLACE = ("spec", "driverBranch")


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Pools with a branch where the GPU Operator does not install the driver."""
    for pool, clusters in pools_with_clusters(inputs):
        if not pool.branch:
            continue
        for driver, names in sorted(installers(inputs, pool, clusters).items()):
            if driver != "operator":
                why = driver_with_place(pool, f"the driver is {driver}")
                message = f"driverBranch has no effect on {join_names(names)}, where {why}"
                # The GPU Operator does not run on Windows.
                other = "" if pool.windows else "set driver: operator, or "
                yield Finding(pool.origin, PLACE, message, f"{other}remove driverBranch")
            elif pool.manufacturer == "amd":
                message = f"driverBranch has no effect on {join_names(names)}: the GPUs are from AMD"
                yield Finding(pool.origin, PLACE, message, "remove driverBranch")


RULE = Rule(
    code="DRV061",
    name="driver-branch-ignored",
    severity=Severity.ERROR,
    summary="A pool sets a driver branch where the GPU Operator does not install an NVIDIA driver.",
    help="AKS installs the driver for the node image and the VM size, and has no setting for the driver version.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/utils/gpu.go",
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/use-nvidia-gpu.md",
    ),
    check=_check,
)

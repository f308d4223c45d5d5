"""driverType applies where AKS installs the driver on Windows."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.clusters import pools_with_clusters
from gitgpu.rules.inputs.drivers import driver_with_place, installers
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Pools with a driver type on Linux, or where AKS installs no driver."""
    for pool, clusters in pools_with_clusters(inputs):
        # WIN002 reports the other drivers that are not for Windows.
        names = installers(inputs, pool, clusters).get("none", [])
        if pool.driver_type and (names or not pool.windows):
            none = driver_with_place(pool, "the pool sets driver: none")
            why = f"{none} on {join_names(names)}" if pool.windows else "on Linux, the VM size determines the driver"
            message = f"driverType has no effect: {why}"
            yield Finding(pool.origin, ("spec", "driverType"), message, "remove it")


RULE = Rule(
    code="WIN020",
    name="driver-type-ignored",
    severity=Severity.ERROR,
    of_running_nodes=True,
    summary="A pool sets driverType where AKS does not install a Windows driver.",
    help="AKS accepts the type for Windows node pools only. On Linux the size determines the driver: GRID for A10 "
    "sizes, CUDA for others. See `gitgpu sku show`.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/use-windows-gpu.md",
    ),
    check=_check,
)

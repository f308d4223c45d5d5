"""On Windows nodes, only AKS can install the driver."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.driver_owner import AKS_ONLY
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.drivers import conflict_with_place, installers, place
from gitgpu.rules.inputs.node_pools import windows_pools
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Windows pools with a driver that exists only for Linux."""
    for pool, clusters in windows_pools(inputs):
        for driver, names in installers(inputs, pool, clusters).items():
            if driver in ("operator", "managed"):
                these = conflict_with_place(pool, "these nodes run Windows", ("spec", "os"))
                message = f"driver: {driver} on {join_names(names)} is for Linux nodes, but {these}"
                remedy = "set driver: aks; AKS then installs the driver and the DirectX device plugin"
                yield Finding(pool.origin, place(pool, ("spec", "os")), message, remedy)
        if pool.driver == AKS_ONLY:
            message = (
                f"driver: {AKS_ONLY} leaves nothing out on Windows: with the driver, AKS installs the device plugin"
            )
            yield Finding(pool.origin, ("spec", "driver"), message, "set driver: aks")


RULE = Rule(
    code="WIN002",
    name="linux-driver-on-windows",
    severity=Severity.ERROR,
    of_running_nodes=True,
    summary="A Windows pool has driver: operator, driver: managed or its own driver: aks-only.",
    help="The GPU Operator and AKS-managed GPU nodes do not exist on Windows. AKS installs the driver and the DirectX "
    "device plugin together, so no other software can advertise the GPUs.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/nvidia-gpu-operator.md",
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/aks-managed-gpu-nodes.md",
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/use-windows-gpu.md",
    ),
    check=_check,
)

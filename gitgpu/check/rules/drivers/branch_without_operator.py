"""A driver branch is the GPU Operator's to install."""

from collections.abc import Iterator

from gitgpu.check.clusters import pools_with_clusters
from gitgpu.check.drivers import driver_with_place, installers
from gitgpu.check.names import join_names
from gitgpu.check.rule import Finding, Rule
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs

PLACE = ("spec", "driverBranch")
BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: h100}
spec:
  clusters: [prod-swc]
  sku: Standard_NC40ads_H100_v5
  driver: aks
  driverBranch: "580"
  image: {family: Ubuntu2204}
  limits: {gpus: 8}
"""
GOOD = BAD.replace("driver: aks", "driver: operator")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Pools with a branch where the operator does not install the driver."""
    for pool, clusters in pools_with_clusters(inputs):
        for driver, names in sorted(installers(inputs, pool, clusters).items()) if pool.branch else ():
            if driver != "operator":
                why = driver_with_place(inputs, pool, f"driver is {driver}")
                message = f"driverBranch has no effect on {join_names(names)}, where {why}"
                other = "" if pool.windows else "write driver: operator, or "
                yield Finding(pool.origin, PLACE, message, f"{other}leave driverBranch out")
            elif pool.manufacturer == "amd":
                where = join_names(names)
                message = f"driverBranch has no effect on {where}: it is of NVIDIA's drivers, and the GPUs are AMD's"
                yield Finding(pool.origin, PLACE, message, "leave driverBranch out")


RULE = Rule(
    code="DRV061",
    name="branch-without-operator",
    severity=Severity.ERROR,
    summary="A pool names a driver branch where NVIDIA's GPU Operator does not install the driver.",
    help="AKS installs the driver that belongs to the node's image and size, and has no setting for its version.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/utils/gpu.go",
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/use-nvidia-gpu.md",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)

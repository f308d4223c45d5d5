"""On Windows nodes AKS installs the driver, or nobody does."""

from collections.abc import Iterator

from gitgpu.check.drivers import beside, installers, place
from gitgpu.check.names import join_names
from gitgpu.check.node_pools import EXAMPLE, windows_pools
from gitgpu.check.rule import Finding, Rule
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs

BAD = f"""\
{EXAMPLE}---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {{name: win}}
spec:
  clusters: [prod-swc]
  os: windows
  sku: Standard_NC16as_T4_v3
  nodes: {{min: 1, max: 2}}
  driver: operator
"""
GOOD = BAD.replace("  os: windows\n", "")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Windows pools whose driver would come from software for Linux."""
    for pool, clusters in windows_pools(inputs):
        for driver, names in installers(inputs, pool, clusters).items():
            if driver in ("operator", "managed"):
                whose = beside(pool, "these run Windows", ("spec", "os"))
                message = f"driver {driver} on {join_names(names)} is for Linux nodes, and {whose}"
                remedy = "write driver: aks, with which AKS installs the driver and the DirectX device plugin"
                yield Finding(pool.origin, place(pool, ("spec", "os")), message, remedy)


RULE = Rule(
    code="WIN002",
    name="windows-driver-of-linux",
    severity=Severity.ERROR,
    summary="A pool of Windows nodes has driver: operator or managed.",
    help="NVIDIA's GPU Operator and AKS managed GPU nodes do not exist on Windows.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/nvidia-gpu-operator.md",
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/aks-managed-gpu-nodes.md",
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/use-windows-gpu.md",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)

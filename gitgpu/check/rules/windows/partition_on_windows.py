"""GPUs of Windows nodes cannot be shared."""

from collections.abc import Iterator

from gitgpu.check.node_pools import EXAMPLE, windows_pools
from gitgpu.check.rule import Finding, Rule
from gitgpu.check.value_origins import is_written, with_place
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
  partition: {{timeSlicing: {{replicas: 2}}}}
"""
GOOD = BAD.replace("  os: windows\n", "")


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Windows pools with a partition."""
    for pool, _ in windows_pools(inputs):
        if is_written(pool.origin, ("spec", "partition")):
            nodes = with_place("Windows nodes", pool.origin, ("spec", "os"))
            message = f"GPUs of {nodes} cannot be shared among pods"
            yield Finding(pool.origin, ("spec", "partition"), message, "remove it, or use a Linux pool")


RULE = Rule(
    code="WIN003",
    name="partition-on-windows",
    severity=Severity.ERROR,
    summary="A Windows pool sets partition.",
    help="NVIDIA's device plugin for Linux shares GPUs, and AKS applies MIG on Linux nodes. The DirectX device "
    "plugin of Windows nodes supports neither.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/windows-vs-linux-containers.md",
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/use-windows-gpu.md",
    ),
    check=_check,
    bad=BAD,
    good=GOOD,
)

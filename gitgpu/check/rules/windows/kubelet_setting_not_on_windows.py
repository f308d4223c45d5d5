"""AKS accepts few kubelet settings on Windows nodes, and no kernel settings."""

from collections.abc import Iterator

from gitgpu.check.node_pools import EXAMPLE, windows_pools
from gitgpu.check.rule import Finding, Rule
from gitgpu.check.value_origins import pool_place, with_place
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
  kubelet: {{cpuManagerPolicy: static}}
"""
GOOD = BAD.replace("  os: windows\n", "")


# The settings of kubeletConfig that the Azure API accepts for Windows.
KNOWN = ("imageGCHighThresholdPercent", "imageGCLowThresholdPercent", "containerLogMaxSize", "containerLogMaxFiles")


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Windows pools with kubelet settings for Linux."""
    for pool, _ in windows_pools(inputs):
        for key in pool.kubelet.keys() - set(KNOWN):
            message = f"{key} cannot be set on {with_place('Windows nodes', pool.origin, ('spec', 'os'))}"
            yield Finding(*pool_place(inputs, pool, "kubelet", key), message, "remove it")
        if "linuxOSConfig" in pool.settings:
            nodes = with_place("Windows nodes", pool.origin, ("spec", "os"))
            message = f"linuxOSConfig cannot be set on {nodes}"
            yield Finding(*pool_place(inputs, pool, "linuxOSConfig"), message, "remove it")


RULE = Rule(
    code="WIN008",
    name="kubelet-setting-not-on-windows",
    severity=Severity.ERROR,
    summary="A Windows pool has kubelet or kernel settings that AKS accepts on Linux only.",
    help="On Windows nodes AKS accepts the image garbage collection thresholds and the size and number of container "
    "logs, and rejects other settings.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/custom-node-configuration.md",
    ),
    check=_check,
    bad=BAD,
    good=GOOD,
)

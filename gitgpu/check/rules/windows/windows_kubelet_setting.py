"""The kubelet of Windows nodes has few settings."""

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


KNOWN = ("imageGCHighThresholdPercent", "imageGCLowThresholdPercent", "containerLogMaxSize", "containerLogMaxFiles")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Windows pools with settings of the kubelet that are for Linux."""
    for pool, _ in windows_pools(inputs):
        for key in pool.kubelet.keys() - set(KNOWN):
            message = f"{key} cannot be set on {with_place('Windows nodes', pool.origin, ('spec', 'os'))}"
            yield Finding(*pool_place(inputs, pool, "kubelet", key), message, "remove it")


RULE = Rule(
    code="WIN008",
    name="windows-kubelet-setting",
    severity=Severity.ERROR,
    summary="A pool of Windows nodes sets what the kubelet has on Linux alone.",
    help="AKS takes the thresholds of image clean-up and the size and number of log files for Windows nodes, and "
    "refuses the rest.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/custom-node-configuration.md",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)

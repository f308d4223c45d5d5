"""Not every pool has a test."""

from collections.abc import Iterator

from gitgpu.check.clusters import pools_with_clusters
from gitgpu.check.node_pools import EXAMPLE
from gitgpu.check.requested_sizes import sizes_place
from gitgpu.check.rule import Finding, Rule
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs

BAD = f"""\
{EXAMPLE}  stack: {{verify: true}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {{name: win}}
spec:
  clusters: [prod-swc]
  os: windows
  sku: Standard_NC16as_T4_v3
  nodes: {{min: 1, max: 2}}
"""
GOOD = BAD.replace("  os: windows\n", "")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Pools without a Job on clusters that are to be verified."""
    for pool, clusters in pools_with_clusters(inputs):
        if pool.skus and not pool.provable and any(cluster.stack.verify for cluster in clusters):
            why = "there is no test for Windows nodes" if pool.windows else "Karpenter starts no node for its GPUs"
            message = f"{why}: {pool.name} gets no Job, and stays unproven"
            remedy = "look at the GPUs that its nodes advertise, and allow VRF001 with what you saw"
            yield Finding(pool.origin, ("spec", "os") if pool.windows else sizes_place(pool), message, remedy)


RULE = Rule(
    code="VRF001",
    name="pool-not-verified",
    severity=Severity.WARNING,
    summary="stack.verify is asked for on a cluster with a pool that no Job can prove.",
    help="gitgpu writes a Job for each pool that runs NVIDIA's or AMD's sample on a GPU. The samples are images "
    "for Linux, so Windows pools have none. Karpenter counts GPUs as Azure's size API does, and for some "
    "sizes that is none: a pod that asks for them gets no node.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/use-windows-gpu.md",
        "https://docs.nvidia.com/datacenter/cloud-native/gpu-operator/latest/getting-started.html",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/instancetype/instancetype.go",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)

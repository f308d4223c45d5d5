"""gpuInstanceProfile of AKS cuts the GPUs of a node pool in one of five ways."""

from collections.abc import Iterator

from gitgpu.check.mig import MIG, cut_pools
from gitgpu.check.names import join_names
from gitgpu.check.node_pools import EXAMPLE
from gitgpu.check.rule import Finding, Rule
from gitgpu.check.value_origins import cluster_with_place
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import BY_AKS, Inputs, driver_on
from gitgpu.model.instance_profile import gpu_instance_profile

BAD = f"""\
{EXAMPLE}---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {{name: a100}}
spec:
  clusters: [prod-swc]
  sku: Standard_NC24ads_A100_v4
  nodes: {{min: 1, max: 2}}
  partition: {{mig: {{strategy: mixed, profiles: {{3g.40gb: 1, 4g.40gb: 1}}}}}}
"""
GOOD = BAD.replace("3g.40gb: 1, 4g.40gb: 1", "3g.40gb: 2")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Pools whose GPUs AKS cuts, with a layout that is none of AKS's."""
    for pool, _, clusters in cut_pools(inputs):
        names = [
            cluster_with_place(one, "provisioner")
            for one in clusters
            if one.has_node_pools and driver_on(one, pool) in BY_AKS
        ]
        if names and not pool.windows and gpu_instance_profile(pool, inputs.catalog) is None:
            known = ", ".join(inputs.catalog.must("pools", "aks")["migProfiles"])
            message = f"gpuInstanceProfile has no value for this layout on {join_names(names)}: it has {known}"
            remedy = "fill A100s, H100s or H200s with one profile, or write driver: operator"
            yield Finding(pool.origin, (*MIG, "profiles"), message, remedy)


RULE = Rule(
    code="PRT013",
    name="layout-that-aks-cannot-say",
    severity=Severity.ERROR,
    summary="A node pool of AKS asks for a MIG layout that gpuInstanceProfile does not have.",
    help="gpuInstanceProfile fills every GPU of the pool's nodes with instances of one size, each with the least "
    "memory that goes with it. Other layouts are the GPU Operator's to apply. From API version 2026-07-02-preview on, "
    "managed GPU nodes take a list of profiles (migProfiles), which gitgpu does not write yet.",
    sources=(
        "https://github.com/Azure/azure-rest-api-specs/pull/45980",
        "https://github.com/Azure/AgentBaker/blob/06836ee2301e362039418c3a7ed0fe6004a641fd/parts/linux/cloud-init/artifacts/mig-partition.sh",
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/gpu-multi-instance.md",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)

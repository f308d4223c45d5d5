"""The GPU Operator's pools on a cluster have InfiniBand set up on all, or on none."""

from collections.abc import Iterator

from gitgpu.check.drivers import place
from gitgpu.check.names import join_names
from gitgpu.check.rule import Finding, Rule
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs, driver_on

BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: h200}
spec:
  clusters: [prod-swc]
  sku: Standard_ND96isr_H200_v5
  driver: operator
  rdma: shared
  limits: {gpus: 8, nodes: 1}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: a100}
spec:
  clusters: [prod-swc]
  sku: Standard_NC24ads_A100_v4
  driver: operator
  limits: {gpus: 8}
"""
GOOD = BAD.replace("_A100_v4\n  driver: operator", "_A100_v4\n  driver: aks")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Pools of NVIDIA's operator without rdma, beside others with it."""
    for cluster in inputs.clusters:
        here = (pool for pool in inputs.pools_on(cluster) if driver_on(cluster, pool) == "operator")
        pools = [pool for pool in here if pool.manufacturer == "nvidia"]
        direct = [f"{pool.name} ({pool.origin.span(('spec', 'rdma'))})" for pool in pools if pool.rdma]
        for pool in pools if direct else ():
            if not pool.rdma:
                message = (
                    f"driver pods wait for InfiniBand on {cluster.name}, because of pool {join_names(direct)}; here too"
                )
                yield Finding(pool.origin, place(pool, ("spec", "clusters")), message, "write driver: aks here")


RULE = Rule(
    code="RDM004",
    name="gpudirect-beside-pools-without",
    severity=Severity.WARNING,
    summary="NVIDIA's GPU Operator serves pools with rdma and pools without it on one cluster.",
    help="The operator has one setting for all its driver pods. With GPUDirect RDMA each has a container that waits "
    "for the driver of the NICs; where there is none it is started again for ever, and the pod is never ready, "
    "though GPUs work.",
    sources=(
        "https://github.com/NVIDIA/gpu-operator/blob/a22dbf671f2e26f9a1e342f8eea28e196235e110/assets/state-driver/0500_daemonset.yaml",
        "https://github.com/NVIDIA/gpu-operator/blob/a22dbf671f2e26f9a1e342f8eea28e196235e110/controllers/object_controls.go",
        "https://github.com/NVIDIA/cloud-native-docs/blob/52dcb7b8d956784344e241df476de17094a4574c/gpu-operator/gpu-operator-rdma.rst",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)

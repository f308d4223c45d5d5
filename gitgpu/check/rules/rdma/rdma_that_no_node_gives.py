"""A workload asks only for NICs that nodes of its pools give."""

from collections.abc import Iterator

from gitgpu.check.clusters import pools_with_clusters
from gitgpu.check.names import join_names
from gitgpu.check.rule import Finding, Rule
from gitgpu.check.value_origins import cluster_with_place, with_place
from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Pool, Workload
from gitgpu.model.inputs import Inputs

BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: h200}
spec:
  clusters: [prod-swc]
  sku: Standard_ND96isr_H200_v5
  limits: {gpus: 8, nodes: 1}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuWorkload
metadata: {name: pretrain, namespace: research}
spec:
  pools: [h200]
  target: {kind: StatefulSet, name: pretrain}
  gpus: 8
  rdma: 8
"""
GOOD = BAD.replace("  rdma: 8\n", "")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Workloads with rdma on pools without it, on clusters of Karpenter's, or with more than the one place."""
    on = {
        pool.name: [cluster_with_place(one, "provisioner") for one in clusters if one.provisioner == "nap"]
        for pool, clusters in pools_with_clusters(inputs)
    }
    for workload in inputs.workloads:
        for pool in inputs.pools_of(workload) if workload.rdma else ():
            if fault := _fault(workload, pool, on[pool.name]):
                yield Finding(workload.origin, ("spec", "rdma"), *fault)


def _fault(workload: Workload, pool: Pool, nap: list[str]) -> tuple[str, str] | None:
    if not pool.rdma:
        return f"pool {pool.name} advertises no NICs", _advertised(workload, pool, nap)
    if nap:
        message = f"on {join_names(nap)} no node of pool {pool.name} starts for a pod that asks for NICs"
        return message, "leave rdma out, or run the workload where the nodes are there before it"
    if not pool.nodes.least:
        name = with_place(pool.name, pool.origin, ("spec", "nodes"))
        message = f"the cluster autoscaler knows of no NICs while pool {name} has no node"
        return message, "keep some on the pool, such as nodes: {min: 2}, or leave rdma out"
    if pool.rdma == "shared":
        name = with_place(pool.name, pool.origin, ("spec", "rdma"))
        message = f"one place gives a pod all NICs of its node, and pool {name} is shared"
        return (message, "write rdma: 1") if workload.rdma > 1 else None
    return _too_many(workload, pool)


def _advertised(workload: Workload, pool: Pool, nap: list[str]) -> str:
    """How the pool comes to advertise NICs, where it can: that alone helps if nodes are there before the pods."""
    if nap or pool.windows or not all(sku.rdma for sku in pool.skus):
        return "leave rdma out, or take a pool with rdma on a cluster with provisioner: cluster-autoscaler"
    way = "shared" if workload.rdma == 1 else "sriov"
    nodes = "" if pool.nodes.least else ", with nodes: {min: 1} or more"
    return f"write rdma: {way} on the pool{nodes}, or leave rdma out"


def _too_many(workload: Workload, pool: Pool) -> tuple[str, str] | None:
    """Of sizes with InfiniBand whose NICs the recipe knows, each has a NIC for each GPU."""
    most = max((sku.gpus or workload.rdma for sku in pool.skus), default=workload.rdma)
    message = f"a pod asks for {workload.rdma} NICs, and a node of pool {pool.name} has {most}, one for each GPU"
    return (message, f"write rdma: {most} or less") if workload.rdma > most else None


RULE = Rule(
    code="RDM003",
    name="rdma-that-no-node-gives",
    severity=Severity.ERROR,
    summary="A workload asks for NICs with InfiniBand that no node of its pools has, or will be started with.",
    help="Karpenter knows what a node will have before there is one: CPUs, memory, GPUs. It knows of no RDMA device, "
    "so for a pod that asks for one it starts no node, whatever the pool.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/instancetype/instancetype.go",
        "https://github.com/MicrosoftDocs/azure-compute-docs/blob/a18807c4fcf50a76173edcbb264bc171197922a7/articles/virtual-machines/sizes/gpu-accelerated/includes/ndh100v5-series-summary.md",
        "https://github.com/Azure/aks-rdma-infiniband/blob/700dabb4fe0451d482ae09a373617ed68658b021/website/docs/configurations/01-network-operator.md",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)

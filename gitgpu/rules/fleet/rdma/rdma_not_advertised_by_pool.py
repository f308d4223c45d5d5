"""A workload requests only NICs that the nodes of its pools advertise."""

from collections.abc import Iterator

from gitgpu.diagnostic import Problem, Severity
from gitgpu.model.aks_node_pool import bounds
from gitgpu.model.fleet import Pool, Workload
from gitgpu.model.inputs import Inputs
from gitgpu.model.syntax.version import minor, version
from gitgpu.model.value_origins import clusters_with_provisioner, with_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Workloads with rdma on pools without it, on clusters with Karpenter, or with more NICs than a node has."""
    for workload in inputs.workloads:
        if not workload.rdma:
            continue
        for pool in inputs.pools_of(workload):
            clusters = inputs.clusters_named(pool.clusters) if pool.by_karpenter else ()
            names = clusters_with_provisioner(pool, clusters)
            # RDM007 reports managed NICs with Karpenter.
            fault = None if names and pool.has_managed_nics else _fault(workload, pool, names)
            if fault := fault or _ignored_claims(pool, inputs):
                yield Finding(workload.origin, ("spec", "rdma"), *fault)


def _fault(workload: Workload, pool: Pool, nap: list[str]) -> Problem | None:
    if not pool.rdma:
        return Problem(f"pool {pool.name} does not advertise NICs", _advertised(workload, pool, nap))
    if nap:
        message = f"Karpenter on {join_names(nap)} does not start nodes of {pool.name} for a pod that requests NICs"
        return Problem(message, "remove rdma, or set provisioner: fixed on the pool, and its number of nodes")
    if not bounds(pool).minimum:
        name = with_place(pool.name, pool.origin, ("spec", "nodes"))
        message = f"the cluster autoscaler does not know the NICs of pool {name} while the pool has no nodes"
        return Problem(message, "keep nodes in the pool, for example nodes: {min: 2}, or remove rdma")
    if pool.rdma == "shared":
        name = with_place(pool.name, pool.origin, ("spec", "rdma"))
        message = f"pool {name} shares its NICs: one rdma resource gives a pod all NICs of its node"
        return Problem(message, "set rdma: 1") if workload.rdma > 1 else None
    return _too_many(workload, pool)


def _ignored_claims(pool: Pool, inputs: Inputs) -> Problem | None:
    """The fault of a cluster autoscaler that ignores the claims for managed NICs."""
    # With a fixed number of nodes, pods do not wait for the autoscaler.
    if not pool.has_managed_nics or pool.by_karpenter or bounds(pool).minimum == bounds(pool).maximum:
        return None
    since = inputs.catalog.must("features", "autoscaled-claims")["since"]
    old = [cluster for cluster in inputs.clusters if cluster.name in pool.clusters]
    names = [cluster.name for cluster in old if version(cluster.kubernetes)[:2] < version(since)[:2]]
    if not names:
        return None
    message = f"the cluster autoscaler of {join_names(names)} ignores the claims for NICs of pool {pool.name}"
    return Problem(
        message, f"use Kubernetes {minor(since)} or later there, or set min and max of the pool to one number"
    )


def _advertised(workload: Workload, pool: Pool, nap: list[str]) -> str:
    """How to make the pool advertise NICs, if that is possible and its nodes exist before the pods."""
    if nap or pool.windows or not all(sku.rdma for sku in pool.skus):
        return "remove rdma, or use a pool with rdma and provisioner: fixed"
    # One shared resource is all NICs of the node. Only SR-IOV can give a pod some of them.
    method = "shared" if workload.rdma == 1 else "sriov"
    nodes = "" if bounds(pool).minimum else ", with nodes: {min: 1} or more"
    return f"set rdma: {method} on the pool{nodes}, or remove rdma"


def _too_many(workload: Workload, pool: Pool) -> Problem | None:
    """The fault of more NICs than a node has: every supported size with InfiniBand has one NIC for each GPU."""
    # A size whose number of GPUs is unknown may have that many.
    maximum = max((sku.gpus or workload.rdma for sku in pool.skus), default=workload.rdma)
    message = f"a pod requests {workload.rdma} NICs, but a node of pool {pool.name} has {maximum}, one for each GPU"
    return Problem(message, f"set rdma: {maximum} or less") if workload.rdma > maximum else None


RULE = Rule(
    code="RDM003",
    name="rdma-not-advertised-by-pool",
    severity=Severity.ERROR,
    summary="A workload requests InfiniBand NICs that no node of its pools has or will start with.",
    help="Before a node exists, Karpenter knows its CPUs, memory and GPUs, but no RDMA devices. It does not start a "
    "node "
    "for a pod that requests one, regardless of the pool. The cluster autoscaler copies the NICs of an existing node; "
    "before Kubernetes 1.35, it ignores NICs that are claimed, as with rdma: managed.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/instancetype/instancetype.go",
        "https://github.com/MicrosoftDocs/azure-compute-docs/blob/a18807c4fcf50a76173edcbb264bc171197922a7/articles/virtual-machines/sizes/gpu-accelerated/includes/ndh100v5-series-summary.md",
        "https://github.com/Azure/aks-rdma-infiniband/blob/700dabb4fe0451d482ae09a373617ed68658b021/website/docs/configurations/01-network-operator.md",
    ),
    check=_check,
)

"""The cluster autoscaler reads the devices of a pool from an existing node."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.aks_node_pool import bounds
from gitgpu.model.driver_owner import is_claimed
from gitgpu.model.inputs import Inputs
from gitgpu.model.syntax.version import version
from gitgpu.model.value_origins import stack_with_place
from gitgpu.rules.fleet_rule import Finding, Rule

NODES = ("spec", "nodes")


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Pools with claimed GPUs that the cluster autoscaler cannot scale up."""
    since = inputs.catalog.must("features", "autoscaled-claims")["since"]
    for cluster, pool in inputs.placements():
        # With a fixed number of nodes, pods do not wait for the autoscaler. DRA003 reports Karpenter.
        if pool.by_karpenter or not is_claimed(cluster, pool) or bounds(pool).minimum == bounds(pool).maximum:
            continue
        allocation = stack_with_place(cluster, "allocation")
        if version(cluster.kubernetes)[:2] < version(since)[:2]:
            message = f"the cluster autoscaler of Kubernetes {cluster.kubernetes} ignores claims ({allocation})"
            remedy = "set min and max to the same number, or use a newer Kubernetes version"
            yield Finding(pool.origin, NODES, message, remedy)
        elif bounds(pool).minimum == 0:
            message = f"the cluster autoscaler does not know the claimable GPUs of an empty pool ({allocation})"
            yield Finding(pool.origin, NODES, message, "set nodes: {min: 1} or more")


RULE = Rule(
    code="DRA008",
    name="claims-with-empty-node-pool",
    severity=Severity.ERROR,
    summary="A pool with claimed GPUs can be empty, or its cluster autoscaler ignores claims.",
    help="The cluster autoscaler uses an existing node of the pool as the template for new ones, with the devices "
    "that its driver publishes. For a pool without nodes, the Azure provider publishes none, so the pool stays "
    "empty. Before Kubernetes 1.35 the cluster autoscaler ignores claims unless an option is set that AKS does not "
    "offer.",
    sources=(
        "https://github.com/kubernetes/autoscaler/blob/55c37cd5eb550756c5ccc5a89e9068d77797e575/cluster-autoscaler/docs/dra_support.md",
        "https://github.com/kubernetes/autoscaler/blob/dd28ada760f0420b29873c7d1d018ea1610f861f/cluster-autoscaler/config/flags/flags.go",
        "https://github.com/kubernetes/autoscaler/blob/25fc5c74f6b0f2382b65f76edc08e15ac9f41da7/cluster-autoscaler/config/flags/flags.go",
    ),
    facts=("features/autoscaled-claims",),
    check=_check,
)

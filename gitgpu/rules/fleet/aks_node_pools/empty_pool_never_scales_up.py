"""Pods must be able to start the first node of a pool."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.aks_node_pool import bounds, nodes_by_size
from gitgpu.model.inputs import Inputs
from gitgpu.model.names.resources import NVIDIA_GPU
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.node_pools import node_pools


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Autoscaled pools that can be empty and whose GPUs the autoscaler does not expect."""
    for pool, _ in node_pools(inputs):
        sizes = nodes_by_size(pool).values() if pool.has_machines else (bounds(pool),)
        # A node that exists shows its resources. AGP008 reports a pool that can never have one.
        if pool.skus and any(not each.minimum and each.maximum for each in sizes):
            # nvidia.com/mig-* if there is one: whole GPUs sort first, and the autoscaler expects them.
            name = max(pool.mig.resources) if pool.mig else pool.resource(pool.skus[0])
            # AGP006 reports a pool with several sizes.
            if name != NVIDIA_GPU or pool.skus[0].counted_gpus == 0:
                message = f"while the pool has no nodes, the cluster autoscaler does not know that new ones have {name}"
                remedy = "set nodes.min: 1 or more, so that the autoscaler can read it from a node"
                yield Finding(pool.origin, ("spec", "nodes"), message, remedy)


RULE = Rule(
    code="AGP014",
    name="empty-pool-never-scales-up",
    twin="APL096",
    severity=Severity.WARNING,
    summary="The cluster autoscaler expects different GPUs on this VM size, so it cannot scale the pool up from zero.",
    help="For a pool without nodes, the autoscaler knows only the VM size. It expects as many nvidia.com/gpu as the "
    "Azure API reports for that size, regardless of the manufacturer, and does not start a node for pods that request "
    "another resource.",
    sources=(
        "https://github.com/kubernetes/autoscaler/blob/55c37cd5eb550756c5ccc5a89e9068d77797e575/cluster-autoscaler/cloudprovider/azure/azure_template.go",
    ),
    check=_check,
)

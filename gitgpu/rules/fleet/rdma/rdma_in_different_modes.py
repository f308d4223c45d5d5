"""All pools of a cluster advertise InfiniBand in the same way."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet_rule import Finding, Rule

WHERE = ("spec", "rdma")


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Pools whose rdma differs from the first pool of the cluster, without those whose NICs AKS manages."""
    for cluster in inputs.clusters:
        pools = [pool for pool in inputs.pools_on(cluster) if pool.uses_network_operator]
        for pool in pools:
            first = pools[0]
            if pool.rdma != first.rdma:
                other = f"pool {first.name} ({first.origin.span(WHERE)})"
                message = f"rdma is {pool.rdma} here and {first.rdma} on {other}, also on {cluster.name}"
                yield Finding(pool.origin, WHERE, message, "set the same rdma on all pools of the cluster")


RULE = Rule(
    code="RDM002",
    name="rdma-in-different-modes",
    twin="STK104",
    severity=Severity.ERROR,
    summary="Pools of one cluster have different values of rdma.",
    help="The Network Operator reads one NicClusterPolicy for a whole cluster. With both device plugins in it, each "
    "node advertises the same NICs twice.",
    sources=(
        "https://github.com/Azure/aks-rdma-infiniband/blob/700dabb4fe0451d482ae09a373617ed68658b021/website/docs/configurations/01-network-operator.md",
        "https://github.com/Mellanox/network-operator/blob/b06827e085c59726b699faffcc526342d4d8e395/controllers/nicclusterpolicy_controller.go",
    ),
    check=_check,
)

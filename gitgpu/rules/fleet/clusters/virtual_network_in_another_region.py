"""A virtual network is in one region."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Cluster
from gitgpu.model.inputs import Inputs
from gitgpu.model.syntax.subnets import whole_network
from gitgpu.model.value_origins import with_place
from gitgpu.rules.fleet_rule import Finding, Rule

SUBNET = ("spec", "network", "subnet")


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Clusters whose subnet is in the virtual network of a cluster in another region."""
    first: dict[str, Cluster] = {}
    for cluster in inputs.clusters:
        network = whole_network(cluster.network.get("subnet") or "")
        other = first.setdefault(network, cluster) if network else cluster
        # Which of the two regions has the network is unknown, so the later cluster is reported.
        if other.region != cluster.region:
            other_place = with_place(f"{other.name} in {other.region}", other.origin, SUBNET)
            message = f"{cluster.name} in {cluster.region} uses the virtual network of {other_place}"
            remedy = "use a subnet of the virtual network of the cluster"
            yield Finding(cluster.origin, SUBNET, message, remedy)


RULE = Rule(
    code="NET003",
    name="virtual-network-in-another-region",
    severity=Severity.ERROR,
    of_running_nodes=True,
    summary="Clusters in different regions use subnets of the same virtual network.",
    help="A virtual network is in one region, and Karpenter accepts only subnets of the virtual network of the "
    "cluster. On one of the clusters, the AKSNodeClass never becomes Ready.",
    sources=(
        "https://learn.microsoft.com/azure/virtual-network/virtual-networks-overview",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/controllers/nodeclass/status/subnet.go",
    ),
    check=_check,
)

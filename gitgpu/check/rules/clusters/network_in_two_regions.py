"""A virtual network is in one region."""

from collections.abc import Iterator

from gitgpu.check.rule import Finding, Rule
from gitgpu.check.subnets import whole_network
from gitgpu.check.value_origins import with_place
from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Cluster
from gitgpu.model.inputs import Inputs

HUB = (
    "/subscriptions/11111111-2222-3333-4444-555555555555/resourceGroups/net"
    "/providers/Microsoft.Network/virtualNetworks/hub/subnets/gpu"
)
SUBNET = ("spec", "network", "subnet")
BAD = f"""\
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {{name: prod-eus}}
spec:
  region: eastus
  kubernetesVersion: "1.36"
  network: {{subnet: {HUB}}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {{name: prod-swc}}
spec:
  region: swedencentral
  kubernetesVersion: "1.36"
  network: {{subnet: {HUB}}}
"""
GOOD = BAD.replace("virtualNetworks/hub", "virtualNetworks/hub-eus", 1)


def check(inputs: Inputs) -> Iterator[Finding]:
    """Clusters whose subnet is in the network of a cluster in another region."""
    first: dict[str, Cluster] = {}
    for cluster in inputs.clusters:
        wanted = whole_network(cluster.network.get("subnet") or "")
        other = first.setdefault(wanted, cluster) if wanted else cluster
        if other.region != cluster.region:
            there = with_place(f"{other.name} in {other.region}", other.origin, SUBNET)
            message = (
                f"one network serves {there} and {cluster.name} in {cluster.region}, and a network is in one region"
            )
            remedy = "write a subnet of the network that the cluster itself is in"
            yield Finding(cluster.origin, SUBNET, message, remedy)


RULE = Rule(
    code="NET003",
    name="network-in-two-regions",
    severity=Severity.ERROR,
    summary="Clusters in different regions take GPU nodes' subnets from one virtual network.",
    help="A virtual network lives in one region, and Karpenter takes subnets of the cluster's own network only: on one "
    "of the clusters the AKSNodeClass never becomes ready.",
    sources=(
        "https://learn.microsoft.com/azure/virtual-network/virtual-networks-overview",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/controllers/nodeclass/status/subnet.go",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)

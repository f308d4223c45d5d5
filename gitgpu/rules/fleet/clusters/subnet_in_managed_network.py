"""GPU nodes cannot use other subnets of a virtual network that AKS manages."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import KARPENTER
from gitgpu.model.inputs import Inputs
from gitgpu.model.spec.origin import Origin
from gitgpu.model.syntax.subnets import managed_network
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.source import Pointer

SUBNET, OF_POOL = ("spec", "network", "subnet"), ("spec", "subnet")


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Clusters and pools that set a different subnet in such a network."""
    for origin, where, subnet, is_aks_pool in _subnets(inputs):
        if name := managed_network(subnet or ""):
            why = (
                "AKS rejects node pools in other subnets"
                if is_aks_pool
                else "Karpenter accepts only its default subnet"
            )
            message = f"AKS manages virtual network {name}, and {why}"
            remedy = "remove subnet, or create the cluster in your own virtual network"
            yield Finding(origin, where, message, remedy)


def _subnets(inputs: Inputs) -> Iterator[tuple[Origin, Pointer, str | None, bool]]:
    """The subnet of each cluster and pool, and whether it is for AKS node pools."""
    for cluster in inputs.clusters:
        yield cluster.origin, SUBNET, cluster.network.get("subnet"), cluster.provisioner != KARPENTER
    for pool in inputs.pools:
        yield pool.origin, OF_POOL, pool.objects.subnet, not pool.by_karpenter


RULE = Rule(
    code="NET002",
    name="subnet-in-managed-network",
    twin="ANC010",
    severity=Severity.ERROR,
    of_running_nodes=True,
    summary="The subnet for GPU nodes is in a virtual network that AKS manages.",
    help="A cluster that is created without a virtual network gets one that AKS manages. Karpenter rejects other "
    "subnets in it: the AKSNodeClass never becomes Ready, and no node starts. AKS rejects a node pool with a "
    "different subnet.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/controllers/nodeclass/status/subnet.go",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/utils/utils.go",
        "https://github.com/MicrosoftDocs/azure-docs/issues/116169",
    ),
    check=_check,
)

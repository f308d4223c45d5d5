"""A subnet in a virtual network that AKS made for itself."""

from collections.abc import Iterator

from gitgpu.conform.node.node_classes import node_classes
from gitgpu.conform.objects import Objects
from gitgpu.conform.rule import Finding, Rule
from gitgpu.diagnostic import Severity

BAD = """
apiVersion: karpenter.azure.com/v1beta1
kind: AKSNodeClass
metadata: {name: t4}
spec:
  vnetSubnetID: "/subscriptions/00000000-0000-0000-0000-000000000000\\
    /resourceGroups/MC_contoso_prod_swedencentral/providers/Microsoft.Network\\
    /virtualNetworks/aks-vnet-12345678/subnets/gpu"
"""
OWN, GROUP, NETWORK = "aks-subnet", "mc_", "aks-vnet-"


def _check(objects: Objects) -> Iterator[Finding]:
    for item, spec in node_classes(objects):
        parts = (spec.get("vnetSubnetID") or "").lower().split("/")
        named = dict(zip(parts[1::2], parts[2::2], strict=False))
        group, network = named.get("resourcegroups", ""), named.get("virtualnetworks", "")
        number = network.removeprefix(NETWORK)
        made = network.startswith(NETWORK) and len(number) == 8 and number.isdigit() and group.startswith(GROUP)
        if made and named.get("subnets") != OWN:
            message = f"the virtual network {network} looks like one that AKS manages, which takes no further subnets"
            yield Finding(item, ("spec", "vnetSubnetID"), message, "leave vnetSubnetID out, or use a VNet of your own")


RULE = Rule(
    code="ANC010",
    name="subnet-of-a-managed-network",
    severity=Severity.WARNING,
    summary="An AKSNodeClass names a subnet of its own in the virtual network that AKS manages for a cluster.",
    help="A cluster without a network of its own gets one from AKS, and its nodes stay in the one subnet there. "
    "Karpenter keeps an AKSNodeClass with another subnet of it NotReady.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/controllers/nodeclass/status/subnet.go",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/utils/utils.go",
    ),
    check=_check,
    bad=BAD,
    good=BAD.replace("MC_contoso_prod_swedencentral", "network").replace("aks-vnet-12345678", "hub"),
)

"""A subnet in a virtual network that AKS manages."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.syntax.subnets import managed_network
from gitgpu.objects.node.node_classes import node_classes
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule

BAD = """
apiVersion: karpenter.azure.com/v1beta1
kind: AKSNodeClass
metadata: {name: t4}
spec:
  vnetSubnetID: "/subscriptions/00000000-0000-0000-0000-000000000000\\
    /resourceGroups/MC_contoso_prod_swedencentral/providers/Microsoft.Network\\
    /virtualNetworks/aks-vnet-12345678/subnets/gpu"
"""


def _check(objects: Objects) -> Iterator[Finding]:
    for item, spec in node_classes(objects):
        if network := managed_network(spec.get("vnetSubnetID") or ""):
            message = f"the virtual network {network} looks like one that AKS manages; its other subnets cannot be used"
            yield Finding(
                item, ("spec", "vnetSubnetID"), message, "remove vnetSubnetID, or use a subnet of your own VNet"
            )


RULE = Rule(
    code="ANC010",
    name="subnet-in-managed-network",
    twin="NET002",
    severity=Severity.WARNING,
    summary="An AKSNodeClass names another subnet in the virtual network that AKS manages for the cluster.",
    help="A cluster without a custom network gets one from AKS, with one subnet for all nodes. Karpenter keeps an "
    "AKSNodeClass with another subnet of that network NotReady.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/controllers/nodeclass/status/subnet.go",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/utils/utils.go",
    ),
    check=_check,
    bad=BAD,
    good=BAD.replace("MC_contoso_prod_swedencentral", "network").replace("aks-vnet-12345678", "hub"),
    near_misses=(
        # The subnet that AKS creates for nodes.
        BAD.replace("subnets/gpu", "subnets/aks-subnet"),
        # AKS creates its network in a resource group whose name starts with MC_.
        BAD.replace("MC_contoso_prod_swedencentral", "contoso"),
        # AKS puts eight digits at the end of the name.
        BAD.replace("aks-vnet-12345678", "aks-vnet-1234567"),
        BAD.replace("aks-vnet-12345678", "aks-vnet-1234567a"),
        BAD.replace("aks-vnet-12345678", "12345678"),
    ),
)

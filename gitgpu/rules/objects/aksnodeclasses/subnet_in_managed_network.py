"""A subnet in a virtual network that AKS manages."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.syntax.subnets import managed_network
from gitgpu.objects.node.node_classes import node_classes
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule


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
    summary="An AKSNodeClass names a different subnet in the virtual network that AKS manages for the cluster.",
    help="A cluster without a custom network gets one from AKS, with one subnet for all nodes. If an AKSNodeClass "
    "names a different subnet in that network, Karpenter never marks it Ready.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/controllers/nodeclass/status/subnet.go",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/utils/utils.go",
    ),
    check=_check,
)

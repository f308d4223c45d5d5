"""A cluster with node auto-provisioning and a setting with which its nodes do not work."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.objects.node.agent_pools import clusters
from gitgpu.objects.objects import Item, Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer

_BALANCER: Pointer = ("spec", "networkProfile", "loadBalancerProfile")


def _check(objects: Objects) -> Iterator[Finding]:
    for cluster in clusters(objects):
        if reach(cluster.body, "spec", "nodeProvisioningProfile", "mode") == "Auto":
            yield from (Finding(cluster, *fault) for fault in _faults(cluster))


def _faults(cluster: Item) -> Iterator[tuple[Pointer, str, str]]:
    balancer = reach(cluster.body, *_BALANCER) or {}
    if str(balancer.get("backendPoolType")).lower() == "nodeip":  # the object says NodeIP, the API of Azure nodeIP
        message = (
            "node auto-provisioning adds nodes by their network interface, and Azure does not mix these with IP "
            "addresses in a backend pool: NodeClaims fail with "
            "CannotMixIPBasedAddressesAndIPConfigurationsOnLoadBalancerBackendAddressPool"
        )
        yield (*_BALANCER, "backendPoolType"), message, "set backendPoolType: NodeIPConfiguration"
    if balancer.get("enableMultipleStandardLoadBalancers") is True:
        message = "node auto-provisioning does not support several load balancers"
        yield (*_BALANCER, "enableMultipleStandardLoadBalancers"), message, "remove it"
    if reach(cluster.body, "spec", "httpProxyConfig"):
        message = "node auto-provisioning does not support an HTTP proxy for nodes"
        yield ("spec", "httpProxyConfig"), message, "remove it, or use AKS node pools instead of node auto-provisioning"


RULE = Rule(
    code="APL093",
    name="node-autoprovisioning-impaired",
    severity=Severity.WARNING,
    summary="A cluster enables node auto-provisioning together with a setting that its nodes do not support.",
    help="Nodes of node auto-provisioning join the load balancer by network interface, regardless of "
    "backendPoolType. Node auto-provisioning does not support several load balancers or an HTTP proxy yet.",
    sources=(
        "https://github.com/Azure/AKS/issues/5569",
        "https://github.com/Azure/AKS/issues/5656",
        "https://github.com/Azure/AKS/issues/5351",
        "https://github.com/Azure/AKS/issues/5355",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/loadbalancer/loadbalancer.go",
    ),
    check=_check,
)

"""A cluster with node auto-provisioning and something that it does not support."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.objects.node.agent_pools import AgentPool, clusters, pools_of
from gitgpu.objects.objects import Item, Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer

_MANAGED_IDENTITY = "msi"  # the clientId of a cluster with a managed identity


def _check(objects: Objects) -> Iterator[Finding]:
    for cluster in clusters(objects):
        if reach(cluster.body, "spec", "nodeProvisioningProfile", "mode") != "Auto":
            continue
        for place, what, remedy in _unsupported(cluster):
            yield Finding(cluster, place, f"node auto-provisioning does not support {what}", remedy)
        for pool in pools_of(cluster, objects):
            for place, what, remedy in _unsupported_pool(pool):
                yield Finding(pool.item, place, f"node auto-provisioning does not support {what}", remedy)


def _unsupported_pool(pool: AgentPool) -> Iterator[tuple[Pointer, str, str]]:
    if pool.spec.get("podSubnetReference"):
        remedy = "remove podSubnetReference, and use Azure CNI Overlay"
        yield pool.place("podSubnetReference"), "dynamic pod IP allocation", remedy
    if reach(pool.spec, "powerState", "code") == "Stopped":
        remedy = "remove powerState, and set count: 0 to have no nodes"
        yield pool.place("powerState", "code"), "stopped node pools", remedy


def _unsupported(cluster: Item) -> Iterator[tuple[Pointer, str, str]]:
    network: Pointer = ("spec", "networkProfile")
    profile = reach(cluster.body, *network) or {}
    if profile.get("networkPlugin") == "kubenet":
        yield (*network, "networkPlugin"), "kubenet", "set networkPlugin: azure with networkPluginMode: overlay"
    if profile.get("networkPolicy") == "calico":
        yield (*network, "networkPolicy"), "Calico", "set networkPolicy: cilium with networkDataplane: cilium"
    if "IPv6" in (profile.get("ipFamilies") or ()):
        yield (*network, "ipFamilies"), "IPv6", "set ipFamilies: [IPv4]"
    if profile.get("loadBalancerSku") == "basic":
        yield (*network, "loadBalancerSku"), "the basic load balancer", "set loadBalancerSku: standard"
    if reach(cluster.body, "spec", "publicNetworkAccess") == "Disabled":
        place: Pointer = ("spec", "publicNetworkAccess")
        remedy = (
            "set publicNetworkAccess: Enabled; apiServerAccessProfile.enablePrivateCluster keeps the API server private"
        )
        yield place, "publicNetworkAccess: Disabled", remedy
    principal = reach(cluster.body, "spec", "servicePrincipalProfile", "clientId")
    if principal and principal.lower() != _MANAGED_IDENTITY:
        place = ("spec", "servicePrincipalProfile", "clientId")
        yield place, "a service principal", "remove it, and set identity: {type: SystemAssigned}"


RULE = Rule(
    code="APL013",
    name="node-autoprovisioning-unsupported",
    twin="NET001",
    severity=Severity.ERROR,
    summary="A cluster enables node auto-provisioning together with a feature that it does not support.",
    help="AKS rejects node auto-provisioning with kubenet, Calico, IPv6, a service principal, dynamic pod IP "
    "allocation, publicNetworkAccess: Disabled or, in your own virtual network, the basic load balancer. Node pools of "
    "such a cluster cannot be stopped.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/node-auto-provisioning.md",
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/node-auto-provisioning-networking.md",
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/start-stop-nodepools.md",
        "https://github.com/Azure/AKS/issues/5586",
        "https://github.com/Azure/AKS/issues/5881",
    ),
    check=_check,
)

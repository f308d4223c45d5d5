"""The network of a cluster with Windows nodes must support Windows."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.objects.node.agent_pools import clusters, pools_of
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule

_FIELDS = {"plugin": "networkPlugin", "policy": "networkPolicy", "dataplane": "networkDataplane"}


def _check(objects: Objects) -> Iterator[Finding]:
    networks = objects.catalog.must("pools", "aks")["linuxNetworks"]
    settings = [(_FIELDS[each["field"]], each["value"]) for each in networks if not each.get("disputed")]
    for cluster in clusters(objects):
        network = reach(cluster.body, "spec", "networkProfile") or {}
        refused = next(((key, value) for key, value in settings if network.get(key) == value), None)
        if not refused:
            continue
        for pool in pools_of(cluster, objects):
            if pool.os_type == "Windows":
                key, value = refused
                message = f"Windows nodes cannot join {cluster.identity.name}: its network has {key}: {value}"
                remedy = "use a cluster with networkPlugin: azure, and without Cilium"
                yield Finding(pool.item, pool.place("osType"), message, remedy)


RULE = Rule(
    code="APL105",
    name="network-without-windows",
    twin="WIN005",
    severity=Severity.ERROR,
    summary="A Windows node pool belongs to a cluster whose network supports Linux only.",
    help="Windows nodes need Azure CNI: AKS refuses the pool with AzureCNIOnlyForWindows. Azure CNI Powered by Cilium "
    "supports Linux nodes only.",
    sources=(
        "https://github.com/Azure/AKS/issues/4489",
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/azure-cni-powered-by-cilium.md",
    ),
    facts=("pools/aks",),
    check=_check,
)

"""What an AKS cluster says about itself, from the properties of Microsoft.ContainerService/managedClusters.

The same properties come from `az` (which changes the case of some), from Azure's REST API, from ARM templates, and from
Azure Service Operator's ManagedCluster, so names are compared without case.
"""

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from gitgpu.load.inventory.observed import Azure
from gitgpu.source import Span

_MINOR = re.compile(r"v?(\d+\.\d+)")
# Names in ARM IDs are case-insensitive, and the APIs of Azure return the same ID in different cases.
_CLUSTER_ID = re.compile(
    r"(/subscriptions/[^/]+/resourcegroups/[^/]+/providers/microsoft\.containerservice/managedclusters/([^/]+))",
    re.IGNORECASE,
)
_ADDONS = {
    "keda": ("workloadautoscalerprofile", "keda"),
    "kaito": ("aitoolchainoperatorprofile",),
    "metrics": ("azuremonitorprofile", "metrics"),
    "logs": ("addonprofiles", "omsagent"),
}


def azure_facts(properties: Mapping[str, Any], resource_id: str | None, span: Span) -> Azure:
    """The facts of a cluster. `properties` has its location beside what ARM calls properties."""
    location = reach(properties, "location")
    region = location.lower().replace(" ", "") if isinstance(location, str) else None
    version = reach(properties, "currentkubernetesversion") or reach(properties, "kubernetesversion")
    provisioning = str(reach(properties, "nodeprovisioningprofile", "mode")).lower()
    return Azure(
        region=region,
        kubernetes=minor(version),
        resource_id=resource_id,
        provisioner="nap" if provisioning == "auto" else "cluster-autoscaler",
        network=_network(properties),
        addons={name: reach(properties, *path, "enabled") is True for name, path in _ADDONS.items()},
        span=span,
    )


class ClusterId(NamedTuple):
    """The resource ID of a cluster, and the name of the cluster; both "" where there is none."""

    resource_id: str = ""
    name: str = ""


def cluster_of(text: Any) -> ClusterId:
    """The cluster in the resource ID of a cluster or of a part of it, such as a node pool.

    The words that Azure spells in several ways get the spelling of its documentation.
    """
    match = _CLUSTER_ID.match(text) if isinstance(text, str) else None
    if not match:
        return ClusterId()
    _, _, subscription, _, group, *_, name = match[1].split("/")
    provider = "providers/Microsoft.ContainerService/managedClusters"
    return ClusterId(f"/subscriptions/{subscription}/resourceGroups/{group}/{provider}/{name}", name)


def reach(value: Any, *path: str) -> Any:
    """The value at a path of keys in small letters, whatever their case; None where there is none."""
    for key in path:
        if not isinstance(value, Mapping):
            return None
        value = next((item for name, item in value.items() if name.lower() == key), None)
    return value


def minor(version: Any) -> str | None:
    """The minor version of Kubernetes in a version; None where there is none."""
    match = _MINOR.match(version) if isinstance(version, str) else None
    return match[1] if match else None


def _network(properties: Mapping[str, Any]) -> Mapping[str, Any]:
    """The network in the words of a spec; plugins and policies that the spec does not know stay as Azure names them."""
    profile = reach(properties, "networkprofile")
    plugin = reach(profile, "networkplugin")
    if not isinstance(plugin, str):
        return {}
    policy = reach(profile, "networkpolicy") or "none"
    network = {"plugin": plugin.lower(), "policy": str(policy).lower()}
    if network["plugin"] == "azure":
        network["mode"] = _mode(profile, reach(properties, "agentpoolprofiles"))
    return network


def _mode(profile: Any, pools: Any) -> str:
    if str(reach(profile, "networkpluginmode")).lower() == "overlay":
        return "overlay"
    listed = pools if isinstance(pools, list) else ()
    subnets = any(reach(pool, "podsubnetid") or reach(pool, "podsubnetreference") for pool in listed)
    return "pod-subnet" if subnets else "node-subnet"

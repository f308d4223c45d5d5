"""Facts about an AKS cluster, from the properties of Microsoft.ContainerService/managedClusters.

The same properties come from `az` (which changes the case of some), from Azure's REST API, from ARM templates, and from
Azure Service Operator's ManagedCluster, so names are compared without case.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from gitgpu.inventory.observed import Azure
from gitgpu.source import Span

_MINOR = re.compile(r"v?(\d+\.\d+)")
# Names in ARM IDs are case-insensitive, and Azure's APIs return the same ID with different cases.
_CLUSTER_ID = re.compile(
    r"(/subscriptions/[^/]+/resourcegroups/[^/]+/providers/microsoft\.containerservice/managedclusters/([^/]+))",
    re.IGNORECASE,
)
_PROVIDER_ID = re.compile(r"azure://(/subscriptions/[^/]+/resourcegroups/[^/]+)/", re.IGNORECASE)
_ADDONS = {
    "keda": ("workloadautoscalerprofile", "keda"),
    "kaito": ("aitoolchainoperatorprofile",),
    "metrics": ("azuremonitorprofile", "metrics"),
    "logs": ("addonprofiles", "omsagent"),
}

_HOSTS = ("fqdn", "privatefqdn", "azureportalfqdn")
_KEPT = ("local-storage", "system-pods")


def azure_facts(properties: Mapping[str, Any], resource_id: str | None, span: Span) -> Azure:
    """The facts about a cluster. `properties` also has its location and SKU, which ARM has outside the properties."""
    location = lower_case_value(properties, "location")
    region = location.lower().replace(" ", "") if isinstance(location, str) else None
    version = lower_case_value(properties, "currentkubernetesversion") or lower_case_value(
        properties, "kubernetesversion"
    )
    provisioning = str(lower_case_value(properties, "nodeprovisioningprofile", "mode")).lower()
    is_automatic = str(lower_case_value(properties, "sku", "name")).lower() == "automatic"
    return Azure(
        region=region,
        kubernetes=minor(version),
        resource_id=resource_id,
        provisioner="nap" if is_automatic or provisioning == "auto" else "cluster-autoscaler",
        sku="automatic" if is_automatic else "base",
        network=_network(properties),
        addons=_addons(properties) | ({"keda": True} if is_automatic else {}),
        span=span,
        keeps=_keeps(properties),
        hosts=hosts_of(properties),
        node_groups=_node_groups(properties, resource_id),
        excluded=excluded_namespaces(lower_case_value(properties, "safeguardsprofile")),
    )


def _node_groups(properties: Any, resource_id: str | None) -> frozenset[str]:
    """The resource group of the nodes. Its name alone does not identify a cluster: subscriptions may share names."""
    group = lower_case_value(properties, "noderesourcegroup")
    if not isinstance(group, str) or not resource_id:
        return frozenset()
    _, _, subscription, *_ = resource_id.split("/")
    return frozenset([f"/subscriptions/{subscription}/resourcegroups/{group}".lower()])


def node_groups_of(provider_id: Any) -> frozenset[str]:
    """The resource group in the `providerID` of a node, such as azure:///subscriptions/ID/resourceGroups/GROUP/..."""
    match = _PROVIDER_ID.match(provider_id) if isinstance(provider_id, str) else None
    return frozenset([match[1].lower()]) if match else frozenset()


def _addons(properties: Mapping[str, Any]) -> dict[str, bool]:
    return {name: lower_case_value(properties, *path, "enabled") is True for name, path in _ADDONS.items()}


def excluded_namespaces(safeguards: Any) -> tuple[str, ...] | None:
    """The namespaces that deployment safeguards exclude; None if there are no safeguards.

    Until API version 2025-03-02-preview they were a property of the cluster, and are a resource of their own since.
    """
    if not isinstance(safeguards, Mapping):
        return None
    listed = lower_case_value(safeguards, "excludednamespaces")
    return tuple(sorted({name for name in listed if isinstance(name, str)})) if isinstance(listed, list) else ()


def hosts_of(properties: Any) -> frozenset[str]:
    """The host names of the API server, which only a running cluster has."""
    values = (lower_case_value(properties, key) for key in _HOSTS)
    return frozenset(value.lower() for value in values if isinstance(value, str) and value)


def _keeps(properties: Mapping[str, Any]) -> Mapping[str, bool]:
    """What the profile of the cluster autoscaler says. az writes skipNodesWithLocalStorage, and ARM dashes."""
    profile = lower_case_value(properties, "autoscalerprofile")
    found = {str(key).lower().replace("-", ""): value for key, value in (profile or {}).items()}
    asked = {name: str(found.get(f"skipnodeswith{name.replace('-', '')}")).lower() for name in _KEPT}
    return {name: value == "true" for name, value in asked.items() if value in ("true", "false")}


class ClusterId(NamedTuple):
    """The resource ID of a cluster, and its name; both are "" if there is none."""

    resource_id: str = ""
    name: str = ""


def cluster_of(text: Any) -> ClusterId:
    """The cluster in the resource ID of a cluster, or of a part of it such as a node pool.

    Words that Azure spells in several ways get the spelling of its documentation.
    """
    match = _CLUSTER_ID.match(text) if isinstance(text, str) else None
    if not match:
        return ClusterId()
    _, _, subscription, _, group, *_, name = match[1].split("/")
    provider = "providers/Microsoft.ContainerService/managedClusters"
    return ClusterId(f"/subscriptions/{subscription}/resourceGroups/{group}/{provider}/{name}", name)


def lower_case_value(value: Any, *path: str) -> Any:
    """The value at a path of keys, which are compared in lower case; None if there is none."""
    for key in path:
        if not isinstance(value, Mapping):
            return None
        value = next((item for name, item in value.items() if str(name).lower() == key), None)
    return value


def minor(version: Any) -> str | None:
    """The Kubernetes minor version in a version, or None."""
    match = _MINOR.match(version) if isinstance(version, str) else None
    return match[1] if match else None


def newest(minors: Iterable[str]) -> str | None:
    """The newest of some minor versions; None for none."""
    return max(minors, key=lambda version: [int(part) for part in version.split(".")], default=None)


def _network(properties: Mapping[str, Any]) -> Mapping[str, Any]:
    """The network with the keys of a spec. Plugins and policies that the spec does not have keep Azure's names."""
    profile = lower_case_value(properties, "networkprofile")
    plugin = lower_case_value(profile, "networkplugin")
    if not isinstance(plugin, str):
        return {}
    policy = lower_case_value(profile, "networkpolicy") or "none"
    network = {"plugin": plugin.lower(), "policy": str(policy).lower()}
    if network["plugin"] == "azure":
        network["mode"] = _mode(profile, lower_case_value(properties, "agentpoolprofiles"))
    return network


def _mode(profile: Any, pools: Any) -> str:
    if str(lower_case_value(profile, "networkpluginmode")).lower() == "overlay":
        return "overlay"
    listed = pools if isinstance(pools, list) else ()
    subnets = any(
        lower_case_value(pool, "podsubnetid") or lower_case_value(pool, "podsubnetreference") for pool in listed
    )
    return "pod-subnet" if subnets else "node-subnet"

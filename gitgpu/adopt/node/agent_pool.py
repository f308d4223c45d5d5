"""Converts an AKS node pool to the spec of a GpuPool."""

from collections.abc import Callable, Mapping
from typing import Any

from gitgpu.adopt.adoption import GpuNodes
from gitgpu.adopt.comparison import without_defaults
from gitgpu.adopt.node.agent_settings import PLACES as SETTINGS
from gitgpu.adopt.node.agent_settings import agent_settings
from gitgpu.adopt.node.aks_mig import mig_keys
from gitgpu.adopt.node.node_labels import Labels, label_keys
from gitgpu.adopt.node.node_pool import Around
from gitgpu.load.access import reach
from gitgpu.model.catalog import Catalog
from gitgpu.model.driver_owner import AKS_ONLY
from gitgpu.model.spec.taint import SPOT
from gitgpu.plan.aks_node_pool import KUBELET
from gitgpu.plan.linux_settings import IRREGULAR
from gitgpu.source import Pointer

_DEFAULT_COUNT = 1  # nodes of a pool that sets no count, according to Azure's REST API
_MEGABYTES = {"containerLogMaxSizeMB": "containerLogMaxSize", "swapFileSizeMB": "swapFileSize"}
PLACES: Mapping[Pointer, Pointer] = {  # the fields of a node pool, and the key of a GpuPool that sets each
    ("metadata", "name"): ("metadata", "name"),
    ("metadata", "labels"): ("metadata", "labels"),
    ("metadata", "annotations"): ("metadata", "annotations"),
    ("spec", "azureName"): ("spec", "nodePoolName"),
    ("spec", "owner"): ("spec", "resourceId"),  # of the Cluster
    ("spec", "vmSize"): ("spec", "sku"),
    ("spec", "osType"): ("spec", "os"),
    ("spec", "osSKU"): ("spec", "image", "family"),
    ("spec", "osDiskSizeGB"): ("spec", "image", "osDiskGB"),
    ("spec", "osDiskType"): ("spec", "image", "ephemeralOSDisk"),
    ("spec", "artifactStreamingProfile"): ("spec", "image", "artifactStreaming"),
    ("spec", "enableFIPS"): ("spec", "image", "fips"),
    ("spec", "enableEncryptionAtHost"): ("spec", "security", "encryptionAtHost"),
    ("spec", "enableAutoScaling"): ("spec", "nodes"),
    ("spec", "count"): ("spec", "nodes"),
    ("spec", "minCount"): ("spec", "nodes", "min"),
    ("spec", "maxCount"): ("spec", "nodes", "max"),
    ("spec", "scaleSetPriority"): ("spec", "capacity"),
    ("spec", "spotMaxPrice"): ("spec", "capacity"),
    ("spec", "gpuProfile"): ("spec", "driver"),
    ("spec", "gpuInstanceProfile"): ("spec", "partition", "mig"),
    ("spec", "availabilityZones"): ("spec", "zones"),
    ("spec", "maxPods"): ("spec", "maxPods"),
    ("spec", "kubeletConfig"): ("spec", "kubelet"),
    ("spec", "linuxOSConfig"): ("spec", "linuxOSConfig"),
    ("spec", "nodeLabels"): ("spec", "labels"),
    ("spec", "nodeTaints"): ("spec", "taints"),
    ("spec", "tags"): ("spec", "tags"),
    ("spec", "vnetSubnetReference"): ("spec", "subnet"),
    **SETTINGS,
    ("spec", "capacityReservationGroupReference"): ("spec", "capacityReservationGroup"),
}


def agent_pool_keys(nodes: GpuNodes, around: Around, catalog: Catalog) -> dict[str, Any]:
    """The spec of a GpuPool that generates this node pool, with defaults but without `clusters`."""
    spec = without_defaults(nodes.observed.body["spec"], catalog)
    driver = around.keys.get("driver") or _driver(spec, around)
    if partition := mig_keys(spec, nodes.skus[0], catalog):
        around = around._replace(keys={"partition": partition, **around.keys})
    keys: dict[str, Any] = {
        "sku": nodes.skus[0].name,
        **_nodes(spec),
        "driver": driver,
        "driverType": reach(spec, "gpuProfile", "driverType"),
        "maxPods": spec.get("maxPods"),
        "tags": spec.get("tags"),
        **_machine(spec),
        **agent_settings(spec),
        "subnet": _subnet(spec, around),
        **around.keys,
        **_of_labels(Labels(spec.get("nodeLabels") or {}, driver, nodes.skus), around, spec.get("osType")),
        **_names(nodes),
    }
    # An empty list of taints stays: without one, a GpuPool gets the default taint.
    return {key: value for key, value in keys.items() if value not in (None, {}, []) or key == "taints"}


def _of_labels(node_labels: Labels, around: Around, os_type: Any) -> dict[str, Any]:
    """The keys of a GpuPool that generate these labels."""
    keys = label_keys(node_labels, around)
    if os_type == "Windows":
        keys.pop("operatorOptOut", None)  # the GPU Operator does not run on Windows
    return keys


def _nodes(spec: Mapping[str, Any]) -> dict[str, Any]:
    """The keys about the number of nodes, their OS, capacity type, zones, taints and capacity reservation."""
    spot = spec.get("scaleSetPriority") == "Spot"
    capacity = "spot" if spot else "on-demand"
    return {
        "os": "windows" if spec.get("osType") == "Windows" else "linux",
        "capacity": [capacity],
        "nodes": _counts(spec),
        "zones": [str(zone) for zone in spec.get("availabilityZones") or ()],
        "taints": [_taint(text) for text in spec.get("nodeTaints") or () if not _is_of_aks(text, spot=spot)],
        "capacityReservationGroup": reach(spec, "capacityReservationGroupReference", "armId"),
    }


def _subnet(spec: Mapping[str, Any], around: Around) -> str | None:
    subnet = reach(spec, "vnetSubnetReference", "armId")
    return None if subnet == around.subnet else subnet


def _names(nodes: GpuNodes) -> dict[str, Any]:
    name = reach(nodes.observed.body, "spec", "azureName") or nodes.name
    return {} if name == nodes.name.replace("-", "") else {"nodePoolName": name}


def _driver(spec: Mapping[str, Any], around: Around) -> str:
    if reach(spec, "gpuProfile", "nvidia", "managementMode") == "Managed":
        return "managed"
    if reach(spec, "gpuProfile", "driver") != "None":
        return around.driver if around.driver == AKS_ONLY and spec.get("osType") != "Windows" else "aks"
    return around.driver if around.driver in ("operator", "none") else "none"


def _counts(spec: Mapping[str, Any]) -> dict[str, int]:
    """The bounds of the autoscaler; without it, the fixed number of nodes as both bounds."""
    if spec.get("enableAutoScaling"):
        return {"min": spec.get("minCount") or 0, "max": spec.get("maxCount") or 1}
    count = spec.get("count")
    fixed = _DEFAULT_COUNT if count is None else count
    return {"min": fixed, "max": fixed}


def _machine(spec: Mapping[str, Any]) -> dict[str, Any]:
    """The keys about the disk and image of the nodes, and the settings of their kernel and kubelet."""
    image = {
        "family": _family(spec),
        "osDiskGB": spec.get("osDiskSizeGB") or None,
        "ephemeralOSDisk": {"Ephemeral": True, "Managed": False}.get(str(spec.get("osDiskType"))),
        "artifactStreaming": reach(spec, "artifactStreamingProfile", "enabled") or None,
        "fips": spec.get("enableFIPS") or None,
    }
    spec_keys = {azure: word for word, azure in KUBELET.items()}
    return {
        "image": {key: value for key, value in image.items() if value is not None},
        "kubelet": _settings(spec.get("kubeletConfig"), lambda key: spec_keys.get(key, key)),
        "linuxOSConfig": _linux(spec.get("linuxOSConfig")),
        "security": {"encryptionAtHost": True} if spec.get("enableEncryptionAtHost") else None,
    }


def _family(spec: Mapping[str, Any]) -> str | None:
    """The image family; None for Ubuntu, the default of AKS."""
    family = spec.get("osSKU")
    return None if family in (None, "Ubuntu") else str(family)


def _settings(config: Any, word: Callable[[str], str]) -> dict[str, Any]:
    """The settings that have a value, under the names that an AKSNodeClass uses, not the names in Azure's API."""
    settings = {}
    for key, value in (config or {}).items():
        if key in _MEGABYTES and value is not None:
            settings[_MEGABYTES[key]] = f"{value}M"
        elif value is not None:
            settings[word(key)] = value
    return settings


def _linux(config: Any) -> dict[str, Any]:
    settings = _settings(config, str)
    if settings.get("sysctls"):
        settings["sysctls"] = _settings(settings["sysctls"], _sysctl)
    return settings


def _sysctl(name: str) -> str:
    # Azure's API spells Ipv4 and Tcp where an AKSNodeClass spells IPv4 and TCP.
    regular = {azure: word for word, azure in IRREGULAR.items()}
    return regular.get(name) or name.replace("Ipv4", "IPv4").replace("Tcp", "TCP")


def _taint(text: str) -> dict[str, Any]:
    """A taint from the notation of `az`: key=value:Effect."""
    front, _, effect = text.rpartition(":")
    key, _, value = front.partition("=")
    return {"key": key, **({"value": value} if value else {}), "effect": effect}


def _is_of_aks(text: str, *, spot: bool) -> bool:
    return spot and text == f"{SPOT.key}={SPOT.value}:{SPOT.effect}"

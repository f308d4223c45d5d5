"""Clusters and node pools of hashicorp/azurerm (releases 3 and 4), with Azure's names.

The names follow website/docs/r/kubernetes_cluster.html.markdown and kubernetes_cluster_node_pool.html.markdown in
hashicorp/terraform-provider-azurerm. Most differ from Azure's only in underscores; the others are listed here. A block
is a list with one entry, and the provider writes "", 0 and -1 for values that Azure does not have.
"""

from collections.abc import Mapping
from typing import Any

from gitgpu.inventory.agent_pools import PoolSource, agent_pool
from gitgpu.inventory.observed import Observed

_NAMES = {  # names without underscores to Azure's names in lower case
    "nodecount": "count",
    "zones": "availabilityzones",
    "priority": "scalesetpriority",
    "evictionpolicy": "scalesetevictionpolicy",
    "autoscalingenabled": "enableautoscaling",
    "hostencryptionenabled": "enableencryptionathost",
    "enablehostencryption": "enableencryptionathost",
    "nodepublicipenabled": "enablenodepublicip",
    "fipsenabled": "enablefips",
    "ultrassdenabled": "enableultrassd",
    "gpuinstance": "gpuinstanceprofile",
    "nodenetworkprofile": "networkprofile",
    "containerlogmaxline": "containerlogmaxfiles",
    "podmaxpid": "podmaxpids",
    "cpucfsquotaenabled": "cpucfsquota",
    "sysctlconfig": "sysctls",
    "transparenthugepage": "transparenthugepageenabled",
}
_OWN = frozenset({  # keys of the provider, not of the pool
    "kubernetes_cluster_id", "temporary_name_for_rotation", "timeouts", "only_critical_addons_enabled",
    "custom_ca_trust_enabled", "kubernetes_cluster_name", "resource_group_name",
})  # fmt: skip
_WHEN_AUTOSCALED = ("min_count", "max_count")  # 0 for a pool without autoscaling
_NO_DURATION = ("drain_timeout_in_minutes", "node_soak_duration_in_minutes")  # 0 if they are not set
_CRITICAL = "CriticalAddonsOnly=true:NoSchedule"  # the taint for `only_critical_addons_enabled`


def terraform_pool(values: Mapping[str, Any], cluster: str, source: PoolSource) -> Observed:
    """A node pool, from the values of its resource or of the block default_node_pool."""
    return agent_pool(str(values.get("name")), _azure_shape(values), cluster, source, spell=_azure_name)


def block(values: Any, name: str) -> dict[str, Any]:
    """The only entry of a block; empty if there is none."""
    entry = values.get(name) if isinstance(values, dict) else None
    entry = entry[0] if isinstance(entry, list) and entry else entry
    return entry if isinstance(entry, dict) else {}


def _azure_name(key: str) -> str:
    plain = key.replace("_", "").lower()
    return _NAMES.get(plain, plain)


def _azure_shape(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values with blocks unwrapped, and without the provider's texts and numbers for missing values."""
    pool = {key: _unwrapped(key, value) for key, value in values.items() if key not in _OWN}
    if not (values.get("auto_scaling_enabled") or values.get("enable_auto_scaling")):
        pool = {key: value for key, value in pool.items() if key not in _WHEN_AUTOSCALED}
    if values.get("priority") != "Spot":
        pool.pop("spot_max_price", None)
    if values.get("only_critical_addons_enabled"):
        taints = pool.get("node_taints") or ()
        pool["node_taints"] = [*taints, _CRITICAL]
    driver, snapshot = pool.pop("gpu_driver", None), pool.pop("snapshot_id", None)
    if driver:
        pool["gpu_profile"] = {"driver": driver}
    if snapshot:
        pool["creation_data"] = {"source_resource_id": snapshot}
    return pool


def _unwrapped(key: str, value: Any) -> Any:
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], dict) and key != "allowed_host_ports":
        return _block({name: _unwrapped(name, item) for name, item in value[0].items()})
    if key == "node_public_ip_tags" and isinstance(value, dict):
        return [{"ip_tag_type": name, "tag": tag} for name, tag in value.items()]
    return value


def _block(values: dict[str, Any]) -> dict[str, Any]:
    """A block in Azure's shape: a port range is one text, and the key about outbound NAT disables it."""
    settings = {key: value for key, value in values.items() if not (key in _NO_DURATION and value == 0)}
    first, last = (settings.pop(f"net_ipv4_ip_local_port_range_{end}", None) for end in ("min", "max"))
    if first and last:
        settings["net_ipv4_ip_local_port_range"] = f"{first} {last}"
    if "outbound_nat_enabled" in settings:
        settings["disable_outbound_nat"] = not settings.pop("outbound_nat_enabled")
    # In these three blocks (sysctl_config, kubelet_config, linux_os_config), 0 and "" mean that a value is not set.
    is_sysctls = any(key.startswith(("net_", "vm_", "fs_", "kernel_")) for key in settings)
    if is_sysctls or "image_gc_high_threshold" in settings or "swap_file_size_mb" in settings:
        settings = {key: value for key, value in settings.items() if value is False or value not in (0, "")}
    return settings

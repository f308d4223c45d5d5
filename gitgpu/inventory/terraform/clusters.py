"""The facts in azurerm_kubernetes_cluster, in the shape of Azure's properties."""

from collections.abc import Mapping
from typing import Any

from gitgpu.inventory.azure_facts import azure_facts, cluster_of
from gitgpu.inventory.observed import Azure
from gitgpu.inventory.terraform.pools import block
from gitgpu.source import Span

_ADDONS = {  # the key for each add-on; without the key, as in some releases of the provider, it is unknown
    "keda": "workload_autoscaler_profile",
    "kaito": "ai_toolchain_operator_enabled",
    "metrics": "monitor_metrics",
    "logs": "oms_agent",
}


def terraform_cluster(values: Mapping[str, Any], span: Span) -> Azure:
    """The facts about a cluster. A data source has the same names for those that it has."""
    facts = azure_facts(_properties(values), cluster_of(values.get("id")).resource_id or None, span)
    addons = {addon: on for addon, on in facts.addons.items() if _ADDONS[addon] in values}
    provisioner = facts.provisioner if "node_provisioning_profile" in values else None
    return facts._replace(addons=addons, provisioner=provisioner, sku=None)


def _properties(values: Mapping[str, Any]) -> dict[str, Any]:
    """The properties of a cluster that `azure_facts` reads, with Azure's names."""
    network, metrics = block(values, "network_profile"), values.get("monitor_metrics")
    autoscaler = block(values, "workload_autoscaler_profile")
    return {
        "location": values.get("location"),
        "currentKubernetesVersion": values.get("current_kubernetes_version"),
        "kubernetesVersion": values.get("kubernetes_version"),
        "fqdn": values.get("fqdn"),
        "privateFQDN": values.get("private_fqdn"),
        "azurePortalFQDN": values.get("portal_fqdn"),
        "nodeProvisioningProfile": block(values, "node_provisioning_profile"),
        "networkProfile": {
            "networkPlugin": network.get("network_plugin"),
            "networkPluginMode": network.get("network_plugin_mode"),
            "networkPolicy": network.get("network_policy"),
        },
        "agentPoolProfiles": [{"podSubnetId": block(values, "default_node_pool").get("pod_subnet_id")}],
        "workloadAutoScalerProfile": {"keda": {"enabled": autoscaler.get("keda_enabled")}},
        "aiToolchainOperatorProfile": {"enabled": values.get("ai_toolchain_operator_enabled")},
        "azureMonitorProfile": {"metrics": {"enabled": bool(metrics)}},
        "addonProfiles": {"omsagent": {"enabled": bool(block(values, "oms_agent"))}},
    }

"""AKS node pools in every format: ManagedClustersAgentPool, AgentPool, and the profiles of a cluster."""

from gitgpu.rules.kinds import AGENT_POOLS, kinds

KINDS = kinds(
    about=[
        "containerservice.azure.com/MaintenanceConfiguration",
        "containerservice.azure.com/ManagedCluster",
        "containerservice.azure.com/ManagedClustersAgentPool",
    ],
    first={
        "nvidia_driver_on_amd": AGENT_POOLS,
        "invalid_maintenance_configuration": ("containerservice.azure.com/MaintenanceConfiguration",),
        "invalid_node_count": AGENT_POOLS,
        "invalid_node_pool_label": AGENT_POOLS,
        "invalid_node_pool_name": AGENT_POOLS,
        "invalid_node_pool_taint": AGENT_POOLS,
        "invalid_spot_pool": AGENT_POOLS,
        "invalid_virtual_machines_pool": AGENT_POOLS,
        "cluster_without_oidc_issuer": ("containerservice.azure.com/ManagedCluster",),
        "count_on_autoscaled_pool": AGENT_POOLS,
        "autoscaled_managed_gpus": AGENT_POOLS,
        "duplicate_node_pool_name": AGENT_POOLS,
        "empty_pool_never_scales_up": AGENT_POOLS,
        "ephemeral_os_disk_too_large": AGENT_POOLS,
        "kubernetes_past_end_of_life": ("containerservice.azure.com/ManagedCluster",),
        "unknown_region": ("containerservice.azure.com/ManagedCluster",),
        "zone_not_available": ("containerservice.azure.com/ManagedCluster",),
        "linux_settings_on_windows": AGENT_POOLS,
        "mig_unsupported_on_node_pool": AGENT_POOLS,
        "network_without_windows": ("containerservice.azure.com/ManagedCluster",),
        "node_autoprovisioning_impaired": ("containerservice.azure.com/ManagedCluster",),
        "node_autoprovisioning_unsupported": ("containerservice.azure.com/ManagedCluster",),
        "conflicting_os": AGENT_POOLS,
        "retired_driver_tag": AGENT_POOLS,
        "retired_node_pool_size": AGENT_POOLS,
        "secure_boot_with_unsigned_driver": AGENT_POOLS,
        "setting_unsupported_on_arm64": AGENT_POOLS,
        "setting_without_its_counterpart": AGENT_POOLS,
        "size_without_aks_driver": AGENT_POOLS,
        "two_autoscalers": ("containerservice.azure.com/ManagedCluster",),
        "two_mig_managers": AGENT_POOLS,
    },
)

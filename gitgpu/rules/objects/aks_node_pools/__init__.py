"""AKS node pools in every format: ManagedClustersAgentPool, AgentPool, and the profiles of a cluster."""

from gitgpu.model.names.kinds import MAINTENANCE_CONFIGURATION, MANAGED_CLUSTER, MANAGED_CLUSTERS_AGENT_POOL
from gitgpu.rules.kinds import AGENT_POOLS, kinds

PREFIX = "APL"  # of the codes of new rules
KINDS = kinds(
    about=[
        MAINTENANCE_CONFIGURATION,
        MANAGED_CLUSTER,
        MANAGED_CLUSTERS_AGENT_POOL,
    ],
    first={
        "nvidia_driver_on_amd": AGENT_POOLS,
        "invalid_maintenance_configuration": (MAINTENANCE_CONFIGURATION,),
        "invalid_node_count": AGENT_POOLS,
        "invalid_node_pool_label": AGENT_POOLS,
        "invalid_node_pool_name": AGENT_POOLS,
        "invalid_node_pool_taint": AGENT_POOLS,
        "invalid_spot_pool": AGENT_POOLS,
        "invalid_virtual_machines_pool": AGENT_POOLS,
        "cluster_without_oidc_issuer": (MANAGED_CLUSTER,),
        "count_on_autoscaled_pool": AGENT_POOLS,
        "autoscaled_managed_gpus": AGENT_POOLS,
        "autoscaled_gpus_in_virtual_machines_pool": AGENT_POOLS,
        "duplicate_node_pool_name": AGENT_POOLS,
        "empty_pool_never_scales_up": AGENT_POOLS,
        "ephemeral_os_disk_too_large": AGENT_POOLS,
        "kubernetes_past_end_of_life": (MANAGED_CLUSTER,),
        "unknown_region": (MANAGED_CLUSTER,),
        "zone_not_available": (MANAGED_CLUSTER,),
        "linux_settings_on_windows": AGENT_POOLS,
        "mig_unsupported_on_node_pool": AGENT_POOLS,
        "network_without_windows": (MANAGED_CLUSTER,),
        "node_autoprovisioning_impaired": (MANAGED_CLUSTER,),
        "node_autoprovisioning_unsupported": (MANAGED_CLUSTER,),
        "conflicting_os": AGENT_POOLS,
        "retired_driver_tag": AGENT_POOLS,
        "retired_node_pool_size": AGENT_POOLS,
        "secure_boot_with_unsigned_driver": AGENT_POOLS,
        "setting_unsupported_on_arm64": AGENT_POOLS,
        "setting_without_its_counterpart": AGENT_POOLS,
        "size_without_aks_driver": AGENT_POOLS,
        "two_autoscalers": (MANAGED_CLUSTER,),
        "two_mig_managers": AGENT_POOLS,
    },
)

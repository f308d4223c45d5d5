"""MIG: profiles, layouts and the MIG manager."""

from gitgpu.model.names.kinds import (
    AKS_NODE_CLASS,
    APPLICATION,
    APPLICATION_SET,
    CLUSTER_POLICY,
    CONFIG_MAP,
    DEVICE_CONFIG,
    GPU_CLUSTER,
    HELM_RELEASE,
    HELM_VALUES,
    MANAGED_CLUSTER,
    MANAGED_CLUSTERS_AGENT_POOL,
    NODE_POOL,
)
from gitgpu.rules.kinds import AGENT_POOLS, PODS, RELEASES, kinds

PREFIX = "SHR"  # of the codes of new rules
KINDS = kinds(
    about=[
        *PODS,
        CONFIG_MAP,
        DEVICE_CONFIG,
        GPU_CLUSTER,
        APPLICATION,
        APPLICATION_SET,
        MANAGED_CLUSTER,
        MANAGED_CLUSTERS_AGENT_POOL,
        HELM_VALUES,
        HELM_RELEASE,
        NODE_POOL,
        CLUSTER_POLICY,
    ],
    context=[AKS_NODE_CLASS],
    first={
        "gpus_advertised_before_mig_partition": (*RELEASES, CLUSTER_POLICY),
        "impossible_mig_layout": (*RELEASES, CONFIG_MAP, CLUSTER_POLICY),
        "mig_config_without_config_yaml": (*RELEASES, CLUSTER_POLICY),
        "mig_instance_labels_without_layout": (*AGENT_POOLS, NODE_POOL),
        "mig_layout_not_supported_by_gpu": (*RELEASES, NODE_POOL, CLUSTER_POLICY),
        "mig_without_mig_manager": (*PODS, *RELEASES, DEVICE_CONFIG, GPU_CLUSTER, CLUSTER_POLICY),
        "mig_layouts_without_all_disabled": (*RELEASES, CONFIG_MAP, CLUSTER_POLICY),
        "mig_not_supported_by_size": (NODE_POOL,),
        "mig_slices_unused": (*RELEASES, CONFIG_MAP, CLUSTER_POLICY),
        "mig_without_reboot": (NODE_POOL,),
        "single_strategy_with_several_profiles": (*RELEASES, CONFIG_MAP, CLUSTER_POLICY),
        "unknown_mig_layout": (*RELEASES, CLUSTER_POLICY),
        "unknown_mig_profile": PODS,
    },
)

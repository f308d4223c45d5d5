"""MIG: profiles, layouts and the MIG manager."""

from gitgpu.rules.kinds import AGENT_POOLS, PODS, RELEASES, kinds

KINDS = kinds(
    about=[
        *PODS,
        "ConfigMap",
        "amd.com/DeviceConfig",
        "argoproj.io/Application",
        "argoproj.io/ApplicationSet",
        "containerservice.azure.com/ManagedCluster",
        "containerservice.azure.com/ManagedClustersAgentPool",
        "gitgpu.dev/HelmValues",
        "helm.toolkit.fluxcd.io/HelmRelease",
        "karpenter.sh/NodePool",
        "nvidia.com/ClusterPolicy",
    ],
    context=["karpenter.azure.com/AKSNodeClass"],
    first={
        "gpus_advertised_before_mig_partition": (*RELEASES, "nvidia.com/ClusterPolicy"),
        "impossible_mig_layout": (*RELEASES, "ConfigMap", "nvidia.com/ClusterPolicy"),
        "mig_config_without_config_yaml": (*RELEASES, "nvidia.com/ClusterPolicy"),
        "mig_instance_labels_without_layout": (*AGENT_POOLS, "karpenter.sh/NodePool"),
        "mig_layout_not_supported_by_gpu": (*RELEASES, "karpenter.sh/NodePool", "nvidia.com/ClusterPolicy"),
        "mig_without_mig_manager": (*PODS, *RELEASES, "amd.com/DeviceConfig", "nvidia.com/ClusterPolicy"),
        "mig_layouts_without_all_disabled": (*RELEASES, "ConfigMap", "nvidia.com/ClusterPolicy"),
        "mig_not_supported_by_size": ("karpenter.sh/NodePool",),
        "mig_slices_unused": (*RELEASES, "ConfigMap", "nvidia.com/ClusterPolicy"),
        "mig_without_reboot": ("karpenter.sh/NodePool",),
        "single_strategy_with_several_profiles": (*RELEASES, "ConfigMap", "nvidia.com/ClusterPolicy"),
        "unknown_mig_layout": (*RELEASES, "nvidia.com/ClusterPolicy"),
        "unknown_mig_profile": PODS,
    },
)

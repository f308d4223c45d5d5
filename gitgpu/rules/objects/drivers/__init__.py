"""Drivers: ClusterPolicy, NVIDIADriver and AKS-managed GPU nodes."""

from gitgpu.rules.kinds import AGENT_POOLS, PODS, RELEASES, kinds

KINDS = kinds(
    about=[
        *PODS,
        "amd.com/DeviceConfig",
        "argoproj.io/Application",
        "argoproj.io/ApplicationSet",
        "containerservice.azure.com/ManagedCluster",
        "containerservice.azure.com/ManagedClustersAgentPool",
        "gitgpu.dev/HelmValues",
        "helm.toolkit.fluxcd.io/HelmRelease",
        "karpenter.azure.com/AKSNodeClass",
        "karpenter.sh/NodePool",
        "nvidia.com/ClusterPolicy",
        "nvidia.com/NVIDIADriver",
    ],
    first={
        "default_driver_conflicts": (*RELEASES, "nvidia.com/NVIDIADriver"),
        "default_nvidiadriver_with_selector": ("nvidia.com/NVIDIADriver",),
        "invalid_managed_gpu_tag_value": (
            *AGENT_POOLS,
            "karpenter.azure.com/AKSNodeClass",
        ),
        "managed_gpu_without_driver": (
            *AGENT_POOLS,
            "karpenter.azure.com/AKSNodeClass",
        ),
        "misspelt_managed_gpu_tag": (*AGENT_POOLS, "karpenter.azure.com/AKSNodeClass"),
        "nvidiadriver_ignored": (*RELEASES, "nvidia.com/ClusterPolicy"),
        "nvidiadriver_without_nodes": ("karpenter.sh/NodePool",),
        "operator_driver_on_aks_driver": (*PODS, *RELEASES, "amd.com/DeviceConfig", "nvidia.com/ClusterPolicy"),
        "gpu_not_supported_by_driver": (*RELEASES, "nvidia.com/ClusterPolicy"),
        "operator_driver_without_toolkit": ("karpenter.sh/NodePool",),
        "operator_on_grid_size": (*RELEASES, "nvidia.com/ClusterPolicy"),
        "operator_on_several_os": (*RELEASES, "nvidia.com/ClusterPolicy"),
        "operator_on_untested_os": (*RELEASES, "nvidia.com/ClusterPolicy"),
        "operator_toolkit_on_aks_driver": (*RELEASES, "nvidia.com/ClusterPolicy"),
        "overlapping_nvidiadrivers": ("nvidia.com/NVIDIADriver",),
        "pool_without_driver": (
            *RELEASES,
            "karpenter.sh/NodePool",
            "nvidia.com/ClusterPolicy",
            "nvidia.com/NVIDIADriver",
        ),
        "precompiled_driver_with_storage": ("nvidia.com/NVIDIADriver",),
        "toolkit_breaks_containerd": (*RELEASES, "nvidia.com/ClusterPolicy"),
    },
)

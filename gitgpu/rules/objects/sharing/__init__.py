"""Sharing: configurations of the NVIDIA device plugin for time-slicing and MPS."""

from gitgpu.rules.kinds import PODS, RELEASES, kinds

KINDS = kinds(
    about=[
        *PODS,
        "ConfigMap",
        "amd.com/DeviceConfig",
        "argoproj.io/Application",
        "argoproj.io/ApplicationSet",
        "gitgpu.dev/HelmValues",
        "helm.toolkit.fluxcd.io/HelmRelease",
        "karpenter.sh/NodePool",
        "nvidia.com/ClusterPolicy",
    ],
    context=["karpenter.azure.com/AKSNodeClass"],
    first={
        "ignored_sharing_key": (*RELEASES, "ConfigMap"),
        "invalid_plugin_config": (*RELEASES, "ConfigMap"),
        "mps_with_mig": (*RELEASES, "ConfigMap"),
        "mps_without_root": (*PODS, *RELEASES, "amd.com/DeviceConfig", "nvidia.com/ClusterPolicy"),
        "plugin_config_in_environment": (
            *PODS,
            *RELEASES,
            "ConfigMap",
            "amd.com/DeviceConfig",
            "nvidia.com/ClusterPolicy",
        ),
        "plugin_config_unused": (*PODS, *RELEASES, "nvidia.com/ClusterPolicy"),
        "plugin_config_without_name": RELEASES,
        "several_gpu_shares_in_container": (*PODS, *RELEASES, "nvidia.com/ClusterPolicy"),
        "sharing_without_plugin_config": ("karpenter.sh/NodePool",),
        "too_many_mps_clients": (*RELEASES, "ConfigMap"),
        "two_sharing_strategies": (*RELEASES, "ConfigMap"),
        "unknown_plugin_config": (*PODS, *RELEASES, "nvidia.com/ClusterPolicy"),
        "unknown_plugin_config_key": (*RELEASES, "ConfigMap"),
        "unknown_shared_resource": (*RELEASES, "ConfigMap"),
        "whole_gpu_name_for_shared_gpus": (*PODS, *RELEASES, "nvidia.com/ClusterPolicy"),
    },
)

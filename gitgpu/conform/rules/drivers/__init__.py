"""Drivers: ClusterPolicy, NVIDIADriver and AKS-managed GPU nodes."""

from gitgpu.conform.kinds import PODS, kinds

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
)

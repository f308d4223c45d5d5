"""MIG: profiles, layouts and the MIG manager."""

from gitgpu.conform.kinds import PODS, kinds

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
    beside=["karpenter.azure.com/AKSNodeClass"],
)

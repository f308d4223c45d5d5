"""Placement: pods and the nodes that could take them."""

from gitgpu.conform.kinds import PODS, kinds

KINDS = kinds(
    about=[
        *PODS,
        "amd.com/DeviceConfig",
        "argoproj.io/Application",
        "argoproj.io/ApplicationSet",
        "gitgpu.dev/HelmValues",
        "helm.toolkit.fluxcd.io/HelmRelease",
        "nvidia.com/ClusterPolicy",
    ],
    beside=[
        "autoscaling/HorizontalPodAutoscaler",
        "keda.sh/ScaledObject",
        "Namespace",
        "containerservice.azure.com/ManagedCluster",
        "containerservice.azure.com/ManagedClustersAgentPool",
        "karpenter.azure.com/AKSNodeClass",
        "karpenter.sh/NodeOverlay",
        "karpenter.sh/NodePool",
    ],
)

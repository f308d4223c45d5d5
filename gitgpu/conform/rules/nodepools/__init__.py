"""NodePool and NodeOverlay of Karpenter."""

from gitgpu.conform.kinds import PODS, kinds

KINDS = kinds(
    about=[
        *PODS,
        "ConfigMap",
        "argoproj.io/Application",
        "argoproj.io/ApplicationSet",
        "containerservice.azure.com/ManagedCluster",
        "containerservice.azure.com/ManagedClustersAgentPool",
        "gitgpu.dev/HelmValues",
        "helm.toolkit.fluxcd.io/HelmRelease",
        "karpenter.sh/NodeOverlay",
        "karpenter.sh/NodePool",
    ],
    beside=["karpenter.azure.com/AKSNodeClass"],
)

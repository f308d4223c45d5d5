"""DRA: ResourceClaims, DeviceClasses and the driver that serves them."""

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
        "resource.k8s.io/ResourceClaim",
        "resource.k8s.io/ResourceClaimTemplate",
        "resource.nvidia.com/ComputeDomain",
    ],
    beside=["karpenter.azure.com/AKSNodeClass", "karpenter.sh/NodePool"],
)

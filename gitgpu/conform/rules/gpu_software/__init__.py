"""GPU software on a node: device plugin, exporter, feature discovery, one of each."""

from gitgpu.conform.kinds import PODS, kinds

KINDS = kinds(
    about=[
        *PODS,
        "amd.com/DeviceConfig",
        "argoproj.io/Application",
        "argoproj.io/ApplicationSet",
        "gitgpu.dev/HelmValues",
        "helm.toolkit.fluxcd.io/HelmRelease",
        "karpenter.sh/NodePool",
        "nvidia.com/ClusterPolicy",
    ],
    beside=["karpenter.azure.com/AKSNodeClass", "node.k8s.io/RuntimeClass"],
)

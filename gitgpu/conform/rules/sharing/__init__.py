"""Sharing: configurations of the NVIDIA device plugin for time-slicing and MPS."""

from gitgpu.conform.kinds import PODS, kinds

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
    beside=["karpenter.azure.com/AKSNodeClass"],
)

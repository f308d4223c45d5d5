"""AMD GPUs: DeviceConfig and the charts of the AMD GPU Operator."""

from gitgpu.conform.kinds import ANY, PODS, kinds

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
    beside=ANY,
)

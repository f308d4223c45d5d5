"""AMD GPUs: DeviceConfig and the charts of the AMD GPU Operator."""

from gitgpu.rules.kinds import ANY, PODS, RELEASES, kinds

PREFIX = "STK"  # of the codes of new rules
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
    context=ANY,
    first={
        "cuda_on_amd_gpu": PODS,
        "amd_dra_driver_with_device_plugin": ("amd.com/DeviceConfig",),
        "amd_driver_without_registry": ("amd.com/DeviceConfig",),
        "amd_selector_without_nodes": (*RELEASES, "amd.com/DeviceConfig"),
    },
)

"""AMD GPUs: DeviceConfig and the charts of the AMD GPU Operator."""

from gitgpu.model.names.kinds import (
    APPLICATION,
    APPLICATION_SET,
    CLUSTER_POLICY,
    DEVICE_CONFIG,
    HELM_RELEASE,
    HELM_VALUES,
)
from gitgpu.rules.kinds import ANY, PODS, RELEASES, kinds

PREFIX = "STK"  # of the codes of new rules
KINDS = kinds(
    about=[
        *PODS,
        DEVICE_CONFIG,
        APPLICATION,
        APPLICATION_SET,
        HELM_VALUES,
        HELM_RELEASE,
        CLUSTER_POLICY,
    ],
    context=ANY,
    first={
        "cuda_on_amd_gpu": PODS,
        "amd_dra_driver_with_device_plugin": (DEVICE_CONFIG,),
        "amd_driver_without_registry": (DEVICE_CONFIG,),
        "amd_selector_without_nodes": (*RELEASES, DEVICE_CONFIG),
    },
)

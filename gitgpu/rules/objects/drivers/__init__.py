"""Drivers: ClusterPolicy, NVIDIADriver and AKS-managed GPU nodes."""

from gitgpu.model.names.kinds import (
    AKS_NODE_CLASS,
    APPLICATION,
    APPLICATION_SET,
    CLUSTER_POLICY,
    DEVICE_CONFIG,
    GPU_CLUSTER,
    HELM_RELEASE,
    HELM_VALUES,
    MANAGED_CLUSTER,
    MANAGED_CLUSTERS_AGENT_POOL,
    NODE_POOL,
    NVIDIA_DRIVER,
)
from gitgpu.rules.kinds import AGENT_POOLS, PODS, RELEASES, kinds

PREFIX = "STK"  # of the codes of new rules
KINDS = kinds(
    about=[
        *PODS,
        DEVICE_CONFIG,
        GPU_CLUSTER,
        APPLICATION,
        APPLICATION_SET,
        MANAGED_CLUSTER,
        MANAGED_CLUSTERS_AGENT_POOL,
        HELM_VALUES,
        HELM_RELEASE,
        AKS_NODE_CLASS,
        NODE_POOL,
        CLUSTER_POLICY,
        NVIDIA_DRIVER,
    ],
    first={
        "default_driver_conflicts": (*RELEASES, NVIDIA_DRIVER),
        "default_nvidiadriver_with_selector": (NVIDIA_DRIVER,),
        "invalid_managed_gpu_tag_value": (
            *AGENT_POOLS,
            AKS_NODE_CLASS,
        ),
        "managed_gpu_without_driver": (
            *AGENT_POOLS,
            AKS_NODE_CLASS,
        ),
        "misspelt_managed_gpu_tag": (*AGENT_POOLS, AKS_NODE_CLASS),
        "nvidiadriver_ignored": (*RELEASES, CLUSTER_POLICY),
        "nvidiadriver_without_nodes": (NODE_POOL,),
        "operator_driver_on_aks_driver": (*PODS, *RELEASES, DEVICE_CONFIG, GPU_CLUSTER, CLUSTER_POLICY),
        "gpu_not_supported_by_driver": (*RELEASES, CLUSTER_POLICY, NVIDIA_DRIVER),
        "operator_driver_without_toolkit": (NODE_POOL,),
        "operator_on_grid_size": (*RELEASES, CLUSTER_POLICY),
        "operator_on_several_os": (*RELEASES, CLUSTER_POLICY),
        "operator_on_untested_os": (*RELEASES, CLUSTER_POLICY),
        "operator_toolkit_on_aks_driver": (*RELEASES, CLUSTER_POLICY),
        "overlapping_nvidiadrivers": (NVIDIA_DRIVER,),
        "pool_without_driver": (
            *RELEASES,
            NODE_POOL,
            CLUSTER_POLICY,
            NVIDIA_DRIVER,
        ),
        "precompiled_driver_with_storage": (NVIDIA_DRIVER,),
        "toolkit_breaks_containerd": (*RELEASES, CLUSTER_POLICY),
    },
)

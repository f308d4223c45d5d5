"""Sharing: configurations of the NVIDIA device plugin for time-slicing and MPS."""

from gitgpu.model.names.kinds import (
    AKS_NODE_CLASS,
    APPLICATION,
    APPLICATION_SET,
    CLUSTER_POLICY,
    CONFIG_MAP,
    DEVICE_CONFIG,
    GPU_CLUSTER,
    HELM_RELEASE,
    HELM_VALUES,
    NODE_POOL,
)
from gitgpu.rules.kinds import PODS, RELEASES, kinds

PREFIX = "SHR"  # of the codes of new rules
KINDS = kinds(
    about=[
        *PODS,
        CONFIG_MAP,
        DEVICE_CONFIG,
        GPU_CLUSTER,
        APPLICATION,
        APPLICATION_SET,
        HELM_VALUES,
        HELM_RELEASE,
        NODE_POOL,
        CLUSTER_POLICY,
    ],
    context=[AKS_NODE_CLASS],
    first={
        "ignored_sharing_key": (*RELEASES, CONFIG_MAP),
        "invalid_plugin_config": (*RELEASES, CONFIG_MAP),
        "mps_with_mig": (*RELEASES, CONFIG_MAP),
        "mps_without_root": (*PODS, *RELEASES, DEVICE_CONFIG, GPU_CLUSTER, CLUSTER_POLICY),
        "plugin_config_in_environment": (
            *PODS,
            *RELEASES,
            CONFIG_MAP,
            DEVICE_CONFIG,
            GPU_CLUSTER,
            CLUSTER_POLICY,
        ),
        "plugin_config_unused": (*PODS, *RELEASES, CLUSTER_POLICY),
        "plugin_config_without_name": RELEASES,
        "several_gpu_shares_in_container": (*PODS, *RELEASES, CLUSTER_POLICY),
        "sharing_without_plugin_config": (NODE_POOL,),
        "too_many_mps_clients": (*RELEASES, CONFIG_MAP),
        "two_sharing_strategies": (*RELEASES, CONFIG_MAP),
        "unknown_plugin_config": (*PODS, *RELEASES, CLUSTER_POLICY),
        "unknown_plugin_config_key": (*RELEASES, CONFIG_MAP),
        "unknown_shared_resource": (*RELEASES, CONFIG_MAP),
        "whole_gpu_name_for_shared_gpus": (*PODS, *RELEASES, CLUSTER_POLICY),
    },
)

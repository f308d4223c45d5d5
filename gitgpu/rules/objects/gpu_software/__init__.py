"""GPU software: one device plugin, exporter and feature discovery per node."""

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
    MANAGED_CLUSTER,
    MANAGED_CLUSTERS_AGENT_POOL,
    NODE_POOL,
    RUNTIME_CLASS,
    SECRET,
)
from gitgpu.rules.kinds import PODS, RELEASES, kinds

PREFIX = "STK"  # of the codes of new rules
KINDS = kinds(
    about=[
        *PODS,
        DEVICE_CONFIG,
        GPU_CLUSTER,
        APPLICATION,
        APPLICATION_SET,
        HELM_VALUES,
        HELM_RELEASE,
        NODE_POOL,
        CLUSTER_POLICY,
    ],
    context=[CONFIG_MAP, SECRET, AKS_NODE_CLASS, RUNTIME_CLASS, MANAGED_CLUSTER, MANAGED_CLUSTERS_AGENT_POOL],
    first={
        "daemon_without_host_directory": PODS,
        "device_plugin_without_node_labels": RELEASES,
        "duplicate_cluster_policy": (*RELEASES, CLUSTER_POLICY),
        "duplicate_node_feature_discovery": (*PODS, *RELEASES, DEVICE_CONFIG, GPU_CLUSTER, CLUSTER_POLICY),
        "misnamed_gpu_cluster": (GPU_CLUSTER,),
        "missing_nvidia_runtime_class": (*PODS, *RELEASES, RUNTIME_CLASS, CLUSTER_POLICY),
        "pool_without_device_plugin": (*PODS, *RELEASES, DEVICE_CONFIG, GPU_CLUSTER, CLUSTER_POLICY),
    },
)

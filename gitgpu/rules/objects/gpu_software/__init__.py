"""GPU software: one device plugin, exporter and feature discovery per node."""

from gitgpu.rules.kinds import PODS, RELEASES, kinds

PREFIX = "STK"  # of the codes of new rules
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
    context=["ConfigMap", "Secret", "karpenter.azure.com/AKSNodeClass", "node.k8s.io/RuntimeClass"],
    first={
        "daemon_without_host_directory": PODS,
        "device_plugin_without_node_labels": RELEASES,
        "duplicate_cluster_policy": (*RELEASES, "nvidia.com/ClusterPolicy"),
        "duplicate_node_feature_discovery": (*PODS, *RELEASES, "amd.com/DeviceConfig", "nvidia.com/ClusterPolicy"),
        "missing_nvidia_runtime_class": (*PODS, *RELEASES, "node.k8s.io/RuntimeClass", "nvidia.com/ClusterPolicy"),
        "pool_without_device_plugin": (*PODS, *RELEASES, "amd.com/DeviceConfig", "nvidia.com/ClusterPolicy"),
    },
)

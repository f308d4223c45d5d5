"""Placement: pods and the nodes that could take them."""

from gitgpu.rules.kinds import AGENT_POOLS, PODS, kinds

PREFIX = "POD"  # of the codes of new rules
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
    context=[
        "autoscaling/HorizontalPodAutoscaler",
        "keda.sh/ScaledObject",
        "Namespace",
        "containerservice.azure.com/ManagedCluster",
        "containerservice.azure.com/ManagedClustersAgentPool",
        "karpenter.azure.com/AKSNodeClass",
        "karpenter.sh/NodeOverlay",
        "karpenter.sh/NodePool",
    ],
    first={
        "discovered_label_on_empty_node_pools": AGENT_POOLS,
        "daemonset_without_toleration_of_named_pool": (*PODS, *AGENT_POOLS, "karpenter.sh/NodePool"),
        "gpu_pod_matches_no_nodepool": PODS,
        "gpu_pod_without_known_nodepool": (*PODS, *AGENT_POOLS),
        "gpu_resource_not_on_selected_nodes": PODS,
        "needless_gpu_toleration": PODS,
        "node_label_not_on_any_nodepool": PODS,
        "pod_ignored_by_karpenter": PODS,
        "pod_in_misspelt_zone": PODS,
        "pod_larger_than_any_node": PODS,
        "pod_nearly_fills_node": PODS,
        "pod_over_limit": PODS,
        "pod_without_toleration_of_named_pool": AGENT_POOLS,
        "resource_unknown_to_karpenter": (*PODS, "karpenter.sh/NodeOverlay"),
        "rolling_update_without_spare_gpu": PODS,
        "topology_key_of_other_cloud": ("karpenter.sh/NodePool",),
        "untolerated_nodepool_taint": PODS,
        "zone_spread_counts_unreachable_zones": (*PODS, "karpenter.sh/NodePool"),
    },
)

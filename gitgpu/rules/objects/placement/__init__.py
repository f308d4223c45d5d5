"""Placement: pods and the nodes that could take them."""

from gitgpu.model.names.kinds import (
    AKS_NODE_CLASS,
    APPLICATION,
    APPLICATION_SET,
    CLUSTER_POLICY,
    DEVICE_CONFIG,
    GPU_CLUSTER,
    HELM_RELEASE,
    HELM_VALUES,
    HORIZONTAL_POD_AUTOSCALER,
    MANAGED_CLUSTER,
    MANAGED_CLUSTERS_AGENT_POOL,
    NAMESPACE,
    NODE_OVERLAY,
    NODE_POOL,
    SCALED_OBJECT,
)
from gitgpu.rules.kinds import AGENT_POOLS, PODS, kinds

PREFIX = "POD"  # of the codes of new rules
KINDS = kinds(
    about=[
        *PODS,
        DEVICE_CONFIG,
        GPU_CLUSTER,
        APPLICATION,
        APPLICATION_SET,
        HELM_VALUES,
        HELM_RELEASE,
        CLUSTER_POLICY,
    ],
    context=[
        HORIZONTAL_POD_AUTOSCALER,
        SCALED_OBJECT,
        NAMESPACE,
        MANAGED_CLUSTER,
        MANAGED_CLUSTERS_AGENT_POOL,
        AKS_NODE_CLASS,
        NODE_OVERLAY,
        NODE_POOL,
    ],
    first={
        "discovered_label_on_empty_node_pools": AGENT_POOLS,
        "daemonset_without_toleration_of_named_pool": (*PODS, *AGENT_POOLS, NODE_POOL),
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
        "resource_unknown_to_karpenter": (*PODS, NODE_OVERLAY),
        "rolling_update_without_spare_gpu": PODS,
        "topology_key_of_other_cloud": (NODE_POOL,),
        "untolerated_nodepool_taint": PODS,
        "zone_spread_counts_unreachable_zones": (*PODS, NODE_POOL),
    },
)

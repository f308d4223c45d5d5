"""NodePool and NodeOverlay of Karpenter."""

from gitgpu.model.names.kinds import (
    AKS_NODE_CLASS,
    APPLICATION,
    APPLICATION_SET,
    CONFIG_MAP,
    HELM_RELEASE,
    HELM_VALUES,
    MANAGED_CLUSTER,
    MANAGED_CLUSTERS_AGENT_POOL,
    NODE_OVERLAY,
    NODE_POOL,
)
from gitgpu.rules.kinds import AGENT_POOLS, PODS, RELEASES, kinds

PREFIX = "NPL"  # of the codes of new rules
KINDS = kinds(
    about=[
        *PODS,
        CONFIG_MAP,
        APPLICATION,
        APPLICATION_SET,
        MANAGED_CLUSTER,
        MANAGED_CLUSTERS_AGENT_POOL,
        HELM_VALUES,
        HELM_RELEASE,
        NODE_OVERLAY,
        NODE_POOL,
    ],
    context=[AKS_NODE_CLASS],
    first={
        "invalid_node_overlay": (NODE_OVERLAY,),
        "invalid_nodepool_taint": (NODE_POOL,),
        "duplicate_taint": (NODE_POOL,),
        "empty_node_class_ref": (NODE_POOL,),
        "identical_nodepools": (*PODS, NODE_POOL),
        "missing_node_class": (NODE_POOL,),
        "node_overlay_ignored": (*RELEASES, NODE_OVERLAY),
        "restricted_label": (NODE_POOL,),
        "retired_gpu_image": (*PODS, *AGENT_POOLS, CONFIG_MAP),
        "startup_taint_never_removed": (NODE_POOL,),
        "setting_unsupported_on_static_pool": (NODE_POOL,),
        "system_nodes_with_taints": (NODE_POOL,),
        "pool_without_taint": (NODE_POOL,),
    },
)

"""NodePool and NodeOverlay of Karpenter."""

from gitgpu.rules.kinds import AGENT_POOLS, PODS, RELEASES, kinds

KINDS = kinds(
    about=[
        *PODS,
        "ConfigMap",
        "argoproj.io/Application",
        "argoproj.io/ApplicationSet",
        "containerservice.azure.com/ManagedCluster",
        "containerservice.azure.com/ManagedClustersAgentPool",
        "gitgpu.dev/HelmValues",
        "helm.toolkit.fluxcd.io/HelmRelease",
        "karpenter.sh/NodeOverlay",
        "karpenter.sh/NodePool",
    ],
    context=["karpenter.azure.com/AKSNodeClass"],
    first={
        "invalid_node_overlay": ("karpenter.sh/NodeOverlay",),
        "invalid_nodepool_taint": ("karpenter.sh/NodePool",),
        "duplicate_taint": ("karpenter.sh/NodePool",),
        "empty_node_class_ref": ("karpenter.sh/NodePool",),
        "identical_nodepools": (*PODS, "karpenter.sh/NodePool"),
        "missing_node_class": ("karpenter.sh/NodePool",),
        "node_overlay_ignored": (*RELEASES, "karpenter.sh/NodeOverlay"),
        "restricted_label": ("karpenter.sh/NodePool",),
        "retired_gpu_image": (*PODS, *AGENT_POOLS, "ConfigMap"),
        "startup_taint_never_removed": ("karpenter.sh/NodePool",),
        "setting_unsupported_on_static_pool": ("karpenter.sh/NodePool",),
        "system_nodes_with_taints": ("karpenter.sh/NodePool",),
        "pool_without_taint": ("karpenter.sh/NodePool",),
    },
)

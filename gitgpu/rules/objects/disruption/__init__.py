"""Disruption: budgets of NodePools, PodDisruptionBudgets, pods that outlive their nodes."""

from gitgpu.rules.kinds import PODS, kinds

KINDS = kinds(
    about=[
        *PODS,
        "autoscaling/HorizontalPodAutoscaler",
        "containerservice.azure.com/ManagedCluster",
        "containerservice.azure.com/ManagedClustersAgentPool",
        "karpenter.sh/NodePool",
        "keda.sh/ScaledObject",
        "kustomize.toolkit.fluxcd.io/Kustomization",
        "policy/PodDisruptionBudget",
    ],
    context=["karpenter.azure.com/AKSNodeClass"],
    first={
        "autoscaler_annotation_on_karpenter": PODS,
        "unlimited_outside_budgets": ("karpenter.sh/NodePool",),
        "consolidation_of_static_pool": ("karpenter.sh/NodePool",),
        "expiry_before_ready": ("karpenter.sh/NodePool",),
        "pod_on_short_lived_nodes": (
            *PODS,
            "autoscaling/HorizontalPodAutoscaler",
            "keda.sh/ScaledObject",
            "policy/PodDisruptionBudget",
        ),
        "gpu_nodes_pruned_by_flux": ("kustomize.toolkit.fluxcd.io/Kustomization",),
        "grace_period_beyond_node": PODS,
        "grace_period_beyond_spot_notice": PODS,
        "half_scheduled_budget": ("karpenter.sh/NodePool",),
        "ignored_do_not_disrupt": (*PODS, "karpenter.sh/NodePool"),
        "job_on_consolidated_pool": (*PODS, "policy/PodDisruptionBudget"),
        "budget_never_ends": ("karpenter.sh/NodePool",),
        "overruled_budget": ("karpenter.sh/NodePool",),
        "pod_disruption_budget_blocks_eviction": ("policy/PodDisruptionBudget",),
        "protected_nodes_expire": ("karpenter.sh/NodePool",),
        "protected_pod_evicted": PODS,
        "unlimited_outside_schedule": ("karpenter.sh/NodePool",),
        "invalid_budget_schedule": ("karpenter.sh/NodePool",),
    },
)

"""Disruption: budgets of NodePools, PodDisruptionBudgets, pods that outlive their nodes."""

from gitgpu.model.names.kinds import (
    AKS_NODE_CLASS,
    FLUX_KUSTOMIZATION,
    HORIZONTAL_POD_AUTOSCALER,
    MANAGED_CLUSTER,
    MANAGED_CLUSTERS_AGENT_POOL,
    NODE_POOL,
    POD_DISRUPTION_BUDGET,
    SCALED_OBJECT,
)
from gitgpu.rules.kinds import PODS, kinds

PREFIX = "NPL"  # of the codes of new rules
KINDS = kinds(
    about=[
        *PODS,
        HORIZONTAL_POD_AUTOSCALER,
        MANAGED_CLUSTER,
        MANAGED_CLUSTERS_AGENT_POOL,
        NODE_POOL,
        SCALED_OBJECT,
        FLUX_KUSTOMIZATION,
        POD_DISRUPTION_BUDGET,
    ],
    context=[AKS_NODE_CLASS],
    first={
        "autoscaler_annotation_on_karpenter": PODS,
        "unlimited_outside_budgets": (NODE_POOL,),
        "consolidation_of_static_pool": (NODE_POOL,),
        "expiry_before_ready": (NODE_POOL,),
        "pod_on_short_lived_nodes": (
            *PODS,
            HORIZONTAL_POD_AUTOSCALER,
            SCALED_OBJECT,
            POD_DISRUPTION_BUDGET,
        ),
        "gpu_nodes_pruned_by_flux": (FLUX_KUSTOMIZATION,),
        "grace_period_beyond_node": PODS,
        "grace_period_beyond_spot_notice": PODS,
        "half_scheduled_budget": (NODE_POOL,),
        "ignored_do_not_disrupt": (*PODS, NODE_POOL),
        "job_on_consolidated_pool": (*PODS, POD_DISRUPTION_BUDGET),
        "budget_never_ends": (NODE_POOL,),
        "overruled_budget": (NODE_POOL,),
        "pod_disruption_budget_blocks_eviction": (POD_DISRUPTION_BUDGET,),
        "protected_nodes_expire": (NODE_POOL,),
        "protected_pod_evicted": PODS,
        "unlimited_outside_schedule": (NODE_POOL,),
        "invalid_budget_schedule": (NODE_POOL,),
    },
)

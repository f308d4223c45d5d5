"""Disruption: budgets of NodePools, PodDisruptionBudgets, pods that outlive their nodes."""

from gitgpu.conform.kinds import PODS, kinds

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
    beside=["karpenter.azure.com/AKSNodeClass"],
)

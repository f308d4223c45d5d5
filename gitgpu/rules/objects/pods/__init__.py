"""Pods: what is wrong with a pod template on its own."""

from gitgpu.rules.kinds import PODS, kinds

PREFIX = "POD"  # of the codes of new rules
KINDS = kinds(
    about=[*PODS, "Service"],
    context=[
        "containerservice.azure.com/ManagedCluster",
        "containerservice.azure.com/ManagedClustersAgentPool",
        "karpenter.azure.com/AKSNodeClass",
        "karpenter.sh/NodePool",
    ],
    first={
        "image_not_streamed": ("karpenter.azure.com/AKSNodeClass",),
        "misspelt_gpu_toleration": PODS,
        "service_named_like_server": ("Service",),
        "invalid_update_strategy": ("apps/DaemonSet", "apps/Deployment"),
    },
)

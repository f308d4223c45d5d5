"""Pods: what is wrong with a pod template on its own."""

from gitgpu.model.names.kinds import (
    AKS_NODE_CLASS,
    DAEMON_SET,
    DEPLOYMENT,
    MANAGED_CLUSTER,
    MANAGED_CLUSTERS_AGENT_POOL,
    NODE_POOL,
    SERVICE,
)
from gitgpu.rules.kinds import PODS, kinds

PREFIX = "POD"  # of the codes of new rules
KINDS = kinds(
    about=[*PODS, SERVICE],
    context=[
        MANAGED_CLUSTER,
        MANAGED_CLUSTERS_AGENT_POOL,
        AKS_NODE_CLASS,
        NODE_POOL,
    ],
    first={
        "image_not_streamed": (AKS_NODE_CLASS,),
        "misspelt_gpu_toleration": PODS,
        "service_named_like_server": (SERVICE,),
        "invalid_update_strategy": (DAEMON_SET, DEPLOYMENT),
    },
)

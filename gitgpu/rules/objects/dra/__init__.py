"""DRA: ResourceClaims, DeviceClasses and the driver that serves them."""

from gitgpu.model.names.kinds import (
    AKS_NODE_CLASS,
    APPLICATION,
    APPLICATION_SET,
    CLUSTER_POLICY,
    COMPUTE_DOMAIN,
    DEVICE_CONFIG,
    GPU_CLUSTER,
    HELM_RELEASE,
    HELM_VALUES,
    NODE_POOL,
    RESOURCE_CLAIM,
    RESOURCE_CLAIM_TEMPLATE,
)
from gitgpu.rules.kinds import PODS, RELEASES, kinds

PREFIX = "RSC"  # of the codes of new rules
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
        RESOURCE_CLAIM,
        RESOURCE_CLAIM_TEMPLATE,
        COMPUTE_DOMAIN,
    ],
    context=[AKS_NODE_CLASS, NODE_POOL],
    first={
        "claims_with_karpenter": PODS,
        "claim_of_unpublished_gpus": RELEASES,
        "claim_without_single_source": PODS,
        "conflicting_dra_feature_gates": RELEASES,
        "container_claim_not_in_pod": PODS,
        "dra_driver_beside_device_plugin": (
            *PODS,
            *RELEASES,
            DEVICE_CONFIG,
            GPU_CLUSTER,
            NODE_POOL,
            CLUSTER_POLICY,
        ),
        "driver_too_old_for_dra": RELEASES,
        "gpu_by_resource_and_claim": PODS,
        "invalid_dra_driver_values": RELEASES,
        "unused_claim": PODS,
        "wrong_driver_root": (*RELEASES, NODE_POOL, CLUSTER_POLICY),
    },
)

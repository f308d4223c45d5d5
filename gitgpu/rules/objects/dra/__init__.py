"""DRA: ResourceClaims, DeviceClasses and the driver that serves them."""

from gitgpu.rules.kinds import PODS, RELEASES, kinds

KINDS = kinds(
    about=[
        *PODS,
        "amd.com/DeviceConfig",
        "argoproj.io/Application",
        "argoproj.io/ApplicationSet",
        "gitgpu.dev/HelmValues",
        "helm.toolkit.fluxcd.io/HelmRelease",
        "nvidia.com/ClusterPolicy",
        "resource.k8s.io/ResourceClaim",
        "resource.k8s.io/ResourceClaimTemplate",
        "resource.nvidia.com/ComputeDomain",
    ],
    context=["karpenter.azure.com/AKSNodeClass", "karpenter.sh/NodePool"],
    first={
        "claims_with_karpenter": PODS,
        "claim_of_unpublished_gpus": RELEASES,
        "claim_without_single_source": PODS,
        "conflicting_dra_feature_gates": RELEASES,
        "container_claim_not_in_pod": PODS,
        "dra_driver_beside_device_plugin": (
            *PODS,
            *RELEASES,
            "amd.com/DeviceConfig",
            "karpenter.sh/NodePool",
            "nvidia.com/ClusterPolicy",
        ),
        "driver_too_old_for_dra": RELEASES,
        "gpu_by_resource_and_claim": PODS,
        "invalid_dra_driver_values": RELEASES,
        "unused_claim": PODS,
        "wrong_driver_root": (*RELEASES, "karpenter.sh/NodePool", "nvidia.com/ClusterPolicy"),
    },
)

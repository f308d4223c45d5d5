"""Azure VM sizes of a NodePool."""

from gitgpu.rules.kinds import PODS, kinds

PREFIX = "NPS"  # of the codes of new rules
KINDS = kinds(
    about=[
        *PODS,
        "karpenter.azure.com/AKSNodeClass",
        "karpenter.sh/NodeClaim",
        "karpenter.sh/NodePool",
        "kueue.x-k8s.io/ResourceFlavor",
    ],
    first={
        "mixed_gpu_fractions": ("karpenter.sh/NodePool",),
        "misspelt_size": ("karpenter.sh/NodePool",),
        "mixed_architectures": ("karpenter.sh/NodePool",),
        "mixed_manufacturers": ("karpenter.sh/NodePool",),
        "never_offered_size": ("karpenter.sh/NodePool",),
        "retired_size": ("karpenter.sh/NodePool",),
        "retired_size_selected": (*PODS, "karpenter.sh/NodeClaim", "kueue.x-k8s.io/ResourceFlavor"),
        "shared_node_class": ("karpenter.sh/NodePool",),
        "os_disk_larger_than_local_disk": ("karpenter.sh/NodePool",),
        "size_excluded_by_node_class": ("karpenter.sh/NodePool",),
        "size_excluded_by_karpenter": ("karpenter.sh/NodePool",),
        "size_not_in_zone": ("karpenter.sh/NodePool",),
        "size_without_reported_gpus": ("karpenter.sh/NodePool",),
        "unknown_size": ("karpenter.sh/NodePool",),
        "unpriced_size": ("karpenter.sh/NodePool",),
    },
)

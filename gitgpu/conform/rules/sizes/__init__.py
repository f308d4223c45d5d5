"""Azure VM sizes that a NodePool asks for."""

from gitgpu.conform.kinds import PODS, kinds

KINDS = kinds(
    about=[
        *PODS,
        "karpenter.azure.com/AKSNodeClass",
        "karpenter.sh/NodeClaim",
        "karpenter.sh/NodePool",
        "kueue.x-k8s.io/ResourceFlavor",
    ],
    first={
        "fractional_gpu_size": ("karpenter.sh/NodePool",),
        "misspelt_size": ("karpenter.sh/NodePool",),
        "mixed_architectures": ("karpenter.sh/NodePool",),
        "mixed_manufacturers": ("karpenter.sh/NodePool",),
        "never_offered_size": ("karpenter.sh/NodePool",),
        "retired_size": ("karpenter.sh/NodePool",),
        "retired_size_selected": (*PODS, "karpenter.sh/NodeClaim", "kueue.x-k8s.io/ResourceFlavor"),
        "shared_node_class": ("karpenter.sh/NodePool",),
        "silently_remote_disk": ("karpenter.sh/NodePool",),
        "size_excluded_by_node_class": ("karpenter.sh/NodePool",),
        "size_left_out_by_karpenter": ("karpenter.sh/NodePool",),
        "size_not_in_zone": ("karpenter.sh/NodePool",),
        "uncounted_gpus": ("karpenter.sh/NodePool",),
        "unknown_size": ("karpenter.sh/NodePool",),
        "unpriced_size": ("karpenter.sh/NodePool",),
    },
)

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
)

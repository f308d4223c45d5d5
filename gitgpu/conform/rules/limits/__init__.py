"""Limits of a NodePool."""

from gitgpu.conform.kinds import kinds

KINDS = kinds(
    about=["karpenter.sh/NodePool"],
    context=["karpenter.azure.com/AKSNodeClass", "karpenter.sh/NodeOverlay"],
)

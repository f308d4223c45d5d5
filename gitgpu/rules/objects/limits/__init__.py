"""Limits of a NodePool."""

from gitgpu.rules.kinds import kinds

KINDS = kinds(
    about=["karpenter.sh/NodePool"],
    context=["karpenter.azure.com/AKSNodeClass", "karpenter.sh/NodeOverlay"],
)

"""AKSNodeClass."""

from gitgpu.conform.kinds import kinds

KINDS = kinds(
    about=["karpenter.azure.com/AKSNodeClass"],
)

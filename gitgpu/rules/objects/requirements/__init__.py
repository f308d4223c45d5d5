"""Requirements of a NodePool."""

from gitgpu.rules.kinds import kinds

PREFIX = "NPL"  # of the codes of new rules
KINDS = kinds(
    about=["karpenter.sh/NodePool"],
    context=["karpenter.azure.com/AKSNodeClass"],
)

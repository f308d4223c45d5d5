"""Limits of a NodePool."""

from gitgpu.model.names.kinds import AKS_NODE_CLASS, NODE_OVERLAY, NODE_POOL
from gitgpu.rules.kinds import kinds

PREFIX = "NPL"  # of the codes of new rules
KINDS = kinds(
    about=[NODE_POOL],
    context=[AKS_NODE_CLASS, NODE_OVERLAY],
)

"""AMD GPUs: the AMD GPU Operator and its pools."""

KINDS = frozenset({"pools"})

"""AMD GPUs: the AMD GPU Operator and its pools."""

PREFIX = "AMD"  # of the codes of new rules
KINDS = frozenset({"pools"})

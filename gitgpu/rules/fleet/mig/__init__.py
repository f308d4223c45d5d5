"""MIG: GPUs divided into instances."""

PREFIX = "PRT"  # of the codes of new rules
KINDS = frozenset({"pools"})

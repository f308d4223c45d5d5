"""MIG: GPUs divided into instances."""

KINDS = frozenset({"pools"})

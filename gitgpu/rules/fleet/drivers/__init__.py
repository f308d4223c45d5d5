"""Drivers: who installs the GPU driver of a pool, and which one."""

PREFIX = "DRV"  # of the codes of new rules
KINDS = frozenset({"clusters", "pools"})

"""Drivers: who installs the GPU driver of a pool, and which one."""

KINDS = frozenset({"clusters", "pools"})

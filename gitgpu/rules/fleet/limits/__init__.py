"""Limits of pools and Azure quotas."""

KINDS = frozenset({"clusters", "pools"})

"""Limits of pools and Azure quotas."""

PREFIX = "QTA"  # of the codes of new rules
KINDS = frozenset({"clusters", "pools"})

"""Registries: the mirror of a cluster, its pull secret, and images that do not come from it."""

PREFIX = "REG"  # of the codes of new rules
KINDS = frozenset({"fleet", "clusters", "pools", "workloads", "models"})

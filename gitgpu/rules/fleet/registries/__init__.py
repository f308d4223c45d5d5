"""Registries: the mirror of a cluster, its pull secret, and images that do not come from it."""

KINDS = frozenset({"fleet", "clusters", "pools", "workloads", "models"})

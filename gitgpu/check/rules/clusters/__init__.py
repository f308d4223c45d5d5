"""Clusters: region, Kubernetes version, network, resource ID."""

KINDS = frozenset({"clusters", "models", "pools", "workloads"})

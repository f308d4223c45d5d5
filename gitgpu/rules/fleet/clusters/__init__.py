"""Clusters: region, Kubernetes version, network, resource ID."""

KINDS = frozenset({"clusters", "pools", "workloads"})
